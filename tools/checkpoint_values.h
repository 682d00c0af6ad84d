// A sink's value as the tensors of a checkpoint, in the layout of files.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "jit/runtime/checkpoint.h"
#include "jit/runtime/sink_output.h"

namespace rlc::tools {

// Leaves are named by their path: "policy", "policy.W", "policy.0".
class CheckpointValues {
 public:
  CheckpointValues(const std::string& name, const runtime::ShownValue& value) { add(name, value); }
  std::span<const runtime::SavedTensor> tensors() const { return tensors_; }

 private:
  void add(const std::string& name, const runtime::ShownValue& value);
  std::deque<std::vector<std::byte>> bytes_;
  std::vector<runtime::SavedTensor> tensors_;
};

}  // namespace rlc::tools
