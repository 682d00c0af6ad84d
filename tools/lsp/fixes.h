// Quick fixes: those that a diagnostic brings, and those that follow from its kind.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source_map.h"
#include "compiler/syntax/ast.h"

namespace rlc::lsp {

std::vector<diagnostics::QuickFix> fixesFor(const diagnostics::Diagnostic& diagnostic,
                                            const diagnostics::SourceMap& sources,
                                            const syntax::File& tree);

}  // namespace rlc::lsp
