// Whether two syntax trees mean the same: equal but for places in the text.
#pragma once

#include "compiler/syntax/ast.h"

namespace rlc::format {

bool sameTree(const syntax::Expr& a, const syntax::Expr& b);
bool sameTree(const syntax::Block& a, const syntax::Block& b);
// And as many comments, in the same order, with the same words.
bool sameFile(const syntax::File& a, std::string_view a_text, const syntax::File& b,
              std::string_view b_text);

}  // namespace rlc::format
