// Reads a program's tensors out of the arena, through the layout that the compiler chose.
#pragma once

#include "compiler/loops/lower.h"

namespace rlc::native {

using polyhedral::Point;

class HostValues {
 public:
  HostValues(const pdg::Graph& graph, const loops::Lowered& lowered, const std::byte* arena)
      : graph_(graph), lowered_(lowered), arena_(arena) {}

  // The value that `read` sees at a point of `dims`.
  DenseTensor read(const pdg::Read& read, const std::vector<pdg::Var>& dims, const Point& at) const;

 private:
  const pdg::Graph& graph_;
  const loops::Lowered& lowered_;
  const std::byte* arena_;
};

// One element in the layout of compiled code.
Scalar loadScalar(DType type, const std::byte* place);
void storeScalar(const Scalar& value, std::byte* place);

}  // namespace rlc::native
