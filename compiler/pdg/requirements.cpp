#include "compiler/pdg/requirements.h"

namespace rlc::pdg {

std::optional<std::string> requirementOf(const Node& node) {
  if (!std::holds_alternative<IndexValue>(node.op) || node.name.find(' ') == std::string::npos) return std::nullopt;
  return node.name;
}

}  // namespace rlc::pdg
