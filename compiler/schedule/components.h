// Strongly connected components of the statements of a region.
#pragma once

#include <map>
#include <vector>

#include "compiler/schedule/dependences.h"

namespace rlc::schedule {

using Edges = std::vector<const Dependence*>;

struct Components {
  std::vector<std::vector<int>>
      members;          // statements, ascending; components in the order of their first statement
  std::vector<int> of;  // [position in the region's statement list] component
  std::vector<std::vector<int>> successors;
  std::vector<bool> cyclic;  // more than one statement, or one that depends on itself
};

// `together`: statements that belong in one component whatever they depend on.
Components findComponents(const std::vector<int>& statements, const Edges& dependences,
                          const std::vector<std::vector<int>>& together);

// [component] the dependences within it, of it on others, and of others on it.
struct Links {
  std::map<int, size_t> componentOf;  // [statement]
  std::vector<Edges> inner, incoming, outgoing;
};
Links linksOf(const Components& components, const std::vector<int>& statements,
              const Edges& dependences);

}  // namespace rlc::schedule
