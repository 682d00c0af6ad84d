#pragma once

#include <string>
#include <vector>

namespace rlc::lsp {

// The legend of semantic tokens, in the order of their numbers.
const std::vector<std::string>& semanticTokenTypes();
const std::vector<std::string>& semanticTokenModifiers();

}  // namespace rlc::lsp
