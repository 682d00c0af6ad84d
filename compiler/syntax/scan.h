// Text to tokens: runs the generated lexer, keeps comments aside, reports what is no word of the
// language.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source_map.h"
#include "compiler/syntax/ast.h"

namespace rlc::syntax {

struct Lexeme {
  size_t type = 0;              // RlLexer's
  uint32_t begin = 0, end = 0;  // bytes
};

struct Scan {
  std::vector<Lexeme> tokens;  // without comments; ends with EOF
  std::vector<Comment> comments;
  // Places of errors already reported, ascending: a syntax error of the same item is their
  // consequence.
  std::vector<uint32_t> damage;
};

Scan scan(const diagnostics::SourceMap& sources, FileId file, diagnostics::DiagnosticSink& sink);

}  // namespace rlc::syntax
