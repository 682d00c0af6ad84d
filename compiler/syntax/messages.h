// Words for a syntax error: what was found, what was expected, the way out. Included by the ANTLR
// side only.
#pragma once

#include "compiler/syntax/token_stream.h"

namespace rlc::syntax {

// `item_begin`: the index of the first token of the item in which the error is.
diagnostics::Diagnostic explainSyntaxError(FileId file, const ParserTokens& tokens,
                                           size_t item_begin, const ParserToken& found,
                                           const antlr4::misc::IntervalSet& expected);

}  // namespace rlc::syntax
