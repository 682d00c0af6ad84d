// The memory that a run's tensors live in: one piece, the end of which may be a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "jit/host/mapped_file.h"

namespace rlc::host {

class Arena {
 public:
  // Bytes [0, residentBytes) are memory, the rest up to `bytes` a temporary file without a name:
  // the system writes it out while the program works. Throws std::bad_alloc, and what MappedFile
  // does.
  Arena(int64_t residentBytes, int64_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::byte* get() const { return base_; }
  int64_t touchedBytes() const;  // of the part that is memory: its pages that have been used

 private:
  std::byte* base_ = nullptr;
  int64_t resident_ = 0, bytes_ = 0;
  std::optional<MappedFile> file_;
};

}  // namespace rlc::host
