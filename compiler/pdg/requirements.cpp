#include "compiler/pdg/requirements.h"

namespace rlc::pdg {

std::optional<std::string> requirementOf(const Node& node) {
  if (!std::holds_alternative<IndexValue>(node.op) || node.name.find(' ') == std::string::npos)
    return std::nullopt;
  return node.name;
}

std::optional<std::string> requirementText(const Node& node) {
  const auto words = requirementOf(node);
  if (!words) return std::nullopt;
  const std::string& wayOut = std::get<IndexValue>(node.op).wayOut;
  return wayOut.empty() ? *words : *words + "\n" + wayOut;
}

diagnostics::Kind faultOutside(const Node& node) {
  return requirementOf(node) ? diagnostics::Kind::RequirementFault
                             : diagnostics::Kind::SubscriptFault;
}

}  // namespace rlc::pdg
