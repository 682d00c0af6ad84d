// Which bracket closes which. What does not match is reported here, and left out of what the parser
// sees.
#pragma once

#include <vector>

#include "compiler/syntax/scan.h"

namespace rlc::syntax {

inline constexpr size_t kNoPartner = SIZE_MAX;

// For each token, the index of its partner; kNoPartner for the unmatched and for what is no
// bracket. A closing bracket of the wrong shape is reported and changed to the right one.
std::vector<size_t> matchBrackets(Scan& scan, FileId file, diagnostics::DiagnosticSink& sink);

}  // namespace rlc::syntax
