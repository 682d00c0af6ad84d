// What was entered, item by item: which names each defines and which it mentions. From syntax
// alone.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/diagnostics/source_map.h"
#include "compiler/syntax/ast.h"

namespace rlc::repl {

struct Definition {
  std::string name;
  std::string left;  // "s[t + 1]": of equations; another equation of `name` may stand beside it
  bool operator==(const Definition&) const = default;
};

struct Entry {
  syntax::Item item;
  std::string source;               // with its doc comment
  std::string origin;               // the file that it was loaded from; empty: typed
  std::vector<Definition> defines;  // none: a sink, or `use "file"`
  std::set<std::string, std::less<>> mentions;

  bool isSink() const { return item.as<syntax::SinkItem>() != nullptr; }
  bool importsAll() const;  // use "file"
  bool definesName(std::string_view name) const;
};
using EntryPtr = std::shared_ptr<Entry>;

// One entry for each name where an item declares several independent ones (`param a = 1, b = 2`).
// Broken items, and expressions, are left out.
std::vector<EntryPtr> entriesOf(syntax::File file, const diagnostics::SourceMap& sources,
                                const std::string& origin);

// Whether `fresh` takes the place of `old`: the same left side, or one of them is no equation.
bool replaces(const Entry& fresh, const Entry& old);

// The words of a text, whatever they mean.
std::set<std::string, std::less<>> wordsOf(std::string_view text);

}  // namespace rlc::repl
