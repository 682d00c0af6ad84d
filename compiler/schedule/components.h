// Strongly connected components of the statements of a region.
#pragma once

#include <vector>

#include "compiler/schedule/dependences.h"

namespace rlc::schedule {

struct Components {
  std::vector<std::vector<int>>
      members;          // statements, ascending; components in the order of their first statement
  std::vector<int> of;  // [position in the region's statement list] component
  std::vector<std::vector<int>> successors;
  std::vector<bool> cyclic;  // more than one statement, or one that depends on itself
};

// `together`: statements that belong in one component whatever they depend on.
Components findComponents(const std::vector<int>& statements,
                          const std::vector<const Dependence*>& dependences,
                          const std::vector<std::vector<int>>& together);

}  // namespace rlc::schedule
