#include "jit/cpu/statement_effects.h"

#include <algorithm>

namespace rlc::cpu {

const loops::Effects& StatementEffects::of(const Stmt& stmt) {
  const auto [known, fresh] = known_.try_emplace(&stmt);
  if (fresh) known->second = loops::effectsOf(stmt);
  return known->second;
}

bool StatementEffects::writes(const Stmt& stmt, BufferId buffer) {
  const auto& written = of(stmt).writes;
  return std::any_of(written.begin(), written.end(),
                     [&](BufferId id) { return mayOverlap(program_, id, buffer); });
}

bool StatementEffects::writesByName(const Stmt& stmt, BufferId buffer) {
  const auto& written = of(stmt).writes;
  return std::all_of(written.begin(), written.end(), [&](BufferId id) {
    return id == buffer || !mayOverlap(program_, id, buffer);
  });
}

}  // namespace rlc::cpu
