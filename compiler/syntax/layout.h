// Tokens as the parser wants them: line breaks only where an item ends, contextual words as
// keywords, nesting limited. The rules are those of language.md, section 2; RlLexer.g4 lists the
// contextual words.
#pragma once

#include <vector>

#include "compiler/syntax/scan.h"

namespace rlc::syntax {

struct Layout {
  std::vector<Lexeme> tokens;  // each item ends with a NEWLINE; ends with EOF
  std::vector<int> depth;      // of each token: how many blocks stand around it
  bool unclosed_block = false;
};

Layout layOut(Scan& scan, const diagnostics::SourceMap& sources, FileId file,
              diagnostics::DiagnosticSink& sink);

}  // namespace rlc::syntax
