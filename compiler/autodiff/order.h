// Orders of small graphs given as lists of successors.
#pragma once

#include <vector>

namespace rlc::autodiff {

// Strongly connected components, successors first (Tarjan, 1972).
std::vector<std::vector<int>> stronglyConnected(const std::vector<std::vector<int>>& successors);

// An order of the members of a component, successors first but for those `declared` before: enough
// of them to cut all cycles, those searched from first being the likeliest.
struct CutOrder {
  std::vector<int> order;
  std::vector<int> declared;
};
CutOrder cutCycles(const std::vector<int>& members,
                   const std::vector<std::vector<int>>& successors);

}  // namespace rlc::autodiff
