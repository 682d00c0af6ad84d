#pragma once

#include <nlohmann/json.hpp>

namespace rlc::lsp {

using Json = nlohmann::json;

}  // namespace rlc::lsp
