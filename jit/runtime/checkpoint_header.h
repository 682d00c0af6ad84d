// The JSON header of a checkpoint.
#pragma once

#include <string>
#include <string_view>

#include "jit/runtime/checkpoint.h"

namespace rlc::runtime {

struct HeaderTensor {
  std::string name;
  DType type = DType::F32;
  std::vector<int64_t> shape;
  int64_t offset = 0;
};

struct CheckpointHeader {
  Attributes attributes;
  std::vector<HeaderTensor> tensors;
};

// Bytes of a tensor's elements, or -1 where an extent is negative or the size is beyond 2^62.
int64_t tensorBytes(DType type, std::span<const int64_t> shape);

std::string writeHeader(const CheckpointHeader& header);
// False where `text` is not such a header; members that it does not know are skipped.
bool parseHeader(std::string_view text, CheckpointHeader& header);

}  // namespace rlc::runtime
