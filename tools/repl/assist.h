// Completion and help at the prompt: what the language server says about the session's text.
#pragma once

#include <string>
#include <vector>

#include "tools/lsp/server.h"
#include "tools/repl/line_reader.h"

namespace rlc::repl {

class Assist {
 public:
  explicit Assist(const std::string& library);

  // Words for the end of `input`, an item or an expression that is being typed after the session's
  // `source`. Sorted.
  Completions complete(const std::string& source, const std::string& input);

  // Signature and documentation of `name` (`a.b`, too), as plain text; "": unknown.
  std::string help(const std::string& source, const std::string& name);

 private:
  lsp::Json request(const std::string& method, lsp::Json params);
  void open(const std::string& text);
  lsp::Json endOf(const std::string& text) const;
  std::string hoverAt(const std::string& uri, const lsp::Json& position);
  std::string libraryHelp(const std::string& name);

  std::string library_, uri_;
  int64_t version_ = 0, id_ = 0;
  lsp::Json answer_;
  lsp::Server server_;
};

}  // namespace rlc::repl
