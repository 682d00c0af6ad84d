// Expressions and types as source text on one line, with the fewest parentheses.
#pragma once

#include <string>
#include <string_view>

#include "compiler/syntax/ast.h"

namespace rlc::syntax {

std::string print(const Expr& expr);
std::string print(const TypeExpr& type);
std::string print(const Range& range);
std::string print(const Entry& entry);

// Runs of white space and comments become one space: the label of `print e`.
std::string collapse(std::string_view source_text);

}  // namespace rlc::syntax
