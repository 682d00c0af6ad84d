// The file that `save` writes. Little-endian:
//   bytes 0-7    89 52 4C 43 0D 0A 1A 0A ("\x89RLC\r\n\x1a\n")
//   bytes 8-11   version, 1; 12-15 length of the header; 16-23 length of the file
//   bytes 24-    header, JSON: {"attributes": {"seed": "1", ...}, "tensors": [{"name": "policy.W",
//   "dtype": "f32",
//                "shape": [64, 4], "offset": 256}, ...]}, padded with spaces so that it ends at a
//                multiple of 64
//   data         each tensor row-major at its offset, a multiple of 64 (bool and u8 a byte, bf16
//   its two bytes) last 4       CRC-32 (IEEE 802.3, as zlib's) of all bytes before
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/types/dtype.h"

namespace rlc::runtime {

// What went wrong, as a sentence about the file, or nothing.
struct [[nodiscard]] FileStatus {
  std::string error;
  bool ok() const { return error.empty(); }
};

using Attributes = std::vector<std::pair<std::string, std::string>>;

struct SavedTensor {
  std::string name;
  DType type = DType::F32;
  std::vector<int64_t> shape;
  const void* data = nullptr;  // row-major, in the layout of compiled code
};

// Writes the whole file or leaves what was there: a temporary file beside it is filled, synced and
// renamed.
FileStatus writeCheckpoint(const std::string& path, const Attributes& attributes,
                           std::span<const SavedTensor> tensors);

struct Checkpoint {
  Attributes attributes;
  std::vector<SavedTensor> tensors;  // refer to `bytes`
  std::vector<std::byte> bytes;

  const SavedTensor* find(std::string_view name) const;
};

// Fails with a sentence on a file that is missing, foreign, newer, cut short or damaged; `result`
// is unchanged then.
FileStatus readCheckpoint(const std::string& path, Checkpoint& result);

// CRC-32 of `bytes` after those that gave `before`.
uint32_t crc32(std::span<const std::byte> bytes, uint32_t before = 0);

}  // namespace rlc::runtime
