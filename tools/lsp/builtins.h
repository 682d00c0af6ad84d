// The words of the language and its built-in functions, as editors show them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compiler/sema/elaborate.h"

namespace rlc::lsp {

struct KeywordInfo {
  std::string_view word, doc;
  std::string_view snippet;  // at the beginning of an item; empty: inside expressions
};
std::span<const KeywordInfo> keywords();
const KeywordInfo* keyword(std::string_view word);

const sema::BuiltinFact* builtin(std::string_view name);
// "sum", "(x, axis = none)" of "sum(x, axis = none)": what stands between the parentheses, by
// comma.
std::vector<std::string> parametersOf(std::string_view signature);

}  // namespace rlc::lsp
