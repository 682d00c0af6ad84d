// Reads a program's tensors out of the arena, through the layout that the compiler chose.
#pragma once

#include "compiler/loops/lower.h"
#include "jit/native/machine.h"

namespace rlc::native {

using polyhedral::Point;

class HostValues {
 public:
  HostValues(const pdg::Graph& graph, const loops::Lowered& lowered, const ArenaView& arena)
      : graph_(graph), lowered_(lowered), arena_(arena) {}

  // The value that `read` sees at a point of `dims`.
  DenseTensor read(const pdg::Read& read, const std::vector<pdg::Var>& dims, const Point& at) const;
  // The bytes between which the value lies.
  ByteRange rangeOf(const pdg::Read& read, const std::vector<pdg::Var>& dims, const Point& at) const;

 private:
  // Where the value's elements are in its buffer.
  struct Layout {
    const loops::Buffer* buffer = nullptr;
    int64_t base = 0;
    std::vector<int64_t> shape, stride;
    int64_t count() const;
    ByteRange range() const;
  };
  Layout layoutOf(const pdg::Read& read, const std::vector<pdg::Var>& dims, const Point& at) const;

  const pdg::Graph& graph_;
  const loops::Lowered& lowered_;
  const ArenaView& arena_;
};

// One element in the layout of compiled code.
Scalar loadScalar(DType type, const std::byte* place);
void storeScalar(const Scalar& value, std::byte* place);

}  // namespace rlc::native
