// The last line of defence against silence: an equation or a sink that was not elaborated has an
// error, or the compiler has one.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/sema/elaborator.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

// Each equation defines all leaves of each of its tensors. In a function, where a right side may
// seem to vary over what it turns out not to, that is how one shows that really does.
void Elaborator::checkComplete(const System& system) {
  if (dry() || sink_.hasErrors()) return;
  for (const auto& tensor : system.tensors) {
    if (tensor->let) continue;
    for (const Target& target : tensor->targets) {
      const EquationDef& equation = *target.equation;
      if (!equation.broken && !tensor->signature->isPoison() &&
          target.views.size() == tensor->leaves.size())
        continue;
      const auto& named = equation.named;
      const auto missing = std::find_if(equation.touched.begin(), equation.touched.end(),
                                        [&](Var index) { return !contains(named, index); });
      if (missing != equation.touched.end()) return reportMissing(equation, *missing);
      lost(equation.item, "the equation of `" + tensor->name + "`");
    }
  }
}

void Elaborator::lost(const void* item, const std::string& what) {
  if (!dry()) lost_.emplace_back(item, what);
}

// Where elaboration had nothing to say, inference has.
void Elaborator::reportLost() {
  if (sink_.hasErrors()) return;
  for (const auto& [item, what] : lost_)
    if (auto found = unsaid_.find(item); found != unsaid_.end()) {
      report(std::move(found->second));
      unsaid_.erase(found);
    }
  if (!lost_.empty() && !sink_.hasErrors())
    throw InternalError(lost_.front().second + " was left out without an error");
}

}  // namespace rlc::sema
