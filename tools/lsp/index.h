// What the names of one file stand for, from its syntax alone: definitions, scopes, uses. It works
// on files that are half typed, and sees no types.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source_map.h"
#include "compiler/syntax/ast.h"
#include "tools/lsp/text.h"

namespace rlc::lsp {

enum class DefKind {
  Import,
  Param,
  Index,
  Tensor,
  Function,
  Method,
  Module,
  Policy,
  Env,
  Record,
  Field,
  Weight,
  Parameter,
  Range,  // the variable of a reduction
  Shape,  // n of f32[n]
  Block,  // reset, render, state
};

struct Import {
  int leading_dots = 0;
  std::vector<std::string> path;  // of the file
  std::string member;             // empty: all of it
  std::string file;               // use "lib/helpers.rl"
};

struct Definition {
  std::string name;  // without primes
  DefKind kind = DefKind::Tensor;
  uint32_t begin = 0, end = 0;            // of the name
  uint32_t item_begin = 0, item_end = 0;  // of what declares it
  std::string detail, doc;
  int scope = 0;                        // where it is declared
  int own_scope = -1;                   // of its members or its body
  int parent = -1;                      // the definition around it
  std::vector<std::string> parameters;  // as written
  const syntax::Expr* value = nullptr;  // of a tensor: the right side of its first equation
  Import import;
};

struct Use {
  uint32_t begin = 0, end = 0;  // without primes
  std::string name;
  int definition = -1;  // in this file; -1: elsewhere or nowhere
  int scope = 0;
  bool defines = false;                  // on the left of an equation, or where it is declared
  const syntax::Expr* object = nullptr;  // of a member: what stands before the point
  const syntax::Expr* callee = nullptr;  // of a named argument: what is called
};

struct Scope {
  int parent = -1;
  uint32_t begin = 0, end = 0;
  std::map<std::string, int, std::less<>> names;
};

struct FileIndex {
  std::vector<Definition> definitions;
  std::vector<Use> uses;      // ascending, each name once: those of definitions too
  std::vector<Scope> scopes;  // 0: the file's
  std::vector<Import> wildcards;

  int find(int scope, std::string_view name) const;  // outwards; -1: nowhere
  int scopeAt(uint32_t offset) const;                // the innermost
  const Use* useAt(uint32_t offset) const;           // at or right before
  int definitionNamed(std::string_view name) const;  // in the file's scope
};

FileIndex indexOf(const syntax::File& file, const std::string& text);

// A text, parsed and indexed. Immutable.
struct ParsedFile {
  ParsedFile(std::string path, std::string text);
  ParsedFile(const ParsedFile&) = delete;

  std::string path;
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  syntax::File tree;
  TextLines lines;
  FileIndex index;

  const std::string& text() const { return sources.text(tree.id); }
  Json range(uint32_t begin, uint32_t end) const { return rangeJson(text(), lines, begin, end); }
};
using FilePtr = std::shared_ptr<const ParsedFile>;

// A text that is parsed once, when it is first asked for. Any thread may ask: the server's and an
// analysis's share the tree.
class SharedFile {
 public:
  SharedFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  FilePtr parsed() const {
    std::call_once(once_, [this] { parsed_ = std::make_shared<ParsedFile>(path_, text_); });
    return parsed_;
  }

 private:
  const std::string path_, text_;
  mutable std::once_flag once_;
  mutable FilePtr parsed_;
};
using SharedFilePtr = std::shared_ptr<const SharedFile>;

}  // namespace rlc::lsp
