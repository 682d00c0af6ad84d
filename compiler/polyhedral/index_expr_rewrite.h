// Rebuilding an index expression with some of its atoms replaced.
#pragma once

#include "compiler/polyhedral/index_expr.h"

namespace rlc::polyhedral {

// From the outside in: an atom for which `replacement` returns nothing is kept, with its arguments
// and bounds rewritten.
using AtomRewriter = std::function<std::optional<IndexExpr>(const IndexExpr::Atom&)>;
IndexExpr rewrite(const IndexExpr& e, const AtomRewriter& replacement);
Condition rewrite(const Condition& condition, const AtomRewriter& replacement);

}  // namespace rlc::polyhedral
