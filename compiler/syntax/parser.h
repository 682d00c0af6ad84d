// Source text to syntax trees. Never throws on any input: what is wrong goes to the sink, and the
// rest still yields items.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source_map.h"
#include "compiler/syntax/ast.h"

namespace rlc::syntax {

inline constexpr size_t kMaxFileBytes = size_t{8} << 20;

File parse(const diagnostics::SourceMap& sources, FileId file, diagnostics::DiagnosticSink& sink);

// The whole file is one expression (`rlc eval`, values on the command line). Null: reported.
ExprPtr parseExpression(const diagnostics::SourceMap& sources, FileId file,
                        diagnostics::DiagnosticSink& sink);

// At a prompt: whether more must follow before the text can be parsed: an open bracket, an operator
// at the end, a function without its body, a doc comment without its item.
bool isIncomplete(const std::string& text);

}  // namespace rlc::syntax
