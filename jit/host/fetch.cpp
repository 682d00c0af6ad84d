// Pages of a mapped file, read while the program computes on others.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "jit/host/abi.h"
#include "jit/host/mapped_file.h"

namespace {

uintptr_t pageBytes() {
  static const auto bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void advise(uintptr_t begin, uintptr_t end, int advice) {
  // Advice: where the system doesn't take it, pages come when they are touched.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

}  // namespace

void rlc_fetch_ahead(const char* from, int64_t bytes) {
  if (rlc::host::bytesInMemory(from, bytes) >= bytes) return;  // asking takes longer than looking
  const auto begin = reinterpret_cast<uintptr_t>(from);
  advise(begin & ~(pageBytes() - 1), begin + static_cast<uintptr_t>(bytes), MADV_WILLNEED);
}

void rlc_will_fetch(const char* from, int64_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(from);
  advise((begin + pageBytes() - 1) & ~(pageBytes() - 1),
         (begin + static_cast<uintptr_t>(bytes)) & ~(pageBytes() - 1), MADV_RANDOM);
}

void rlc_drop(const char* from, int64_t bytes) { rlc::host::MappedFile::drop(from, bytes); }
