#include "jit/host/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace rlc::host {

namespace {

int64_t pageBytes() { return sysconf(_SC_PAGESIZE); }

int64_t wholePages(int64_t bytes) { return (bytes + pageBytes() - 1) / pageBytes() * pageBytes(); }

}  // namespace

Arena::Arena(int64_t residentBytes, int64_t bytes)
    : resident_(residentBytes), bytes_(wholePages(std::max<int64_t>(bytes, 64))) {
  void* memory = mmap(nullptr, static_cast<size_t>(bytes_), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(memory);
  madvise(base_, static_cast<size_t>(bytes_),
          MADV_HUGEPAGE);  // where the system has them; otherwise nothing
  if (residentBytes >= bytes) return;
  try {
    file_.emplace(base_ + residentBytes, bytes_ - residentBytes);
  } catch (...) {
    munmap(base_, static_cast<size_t>(bytes_));
    throw;
  }
}

Arena::~Arena() {
  file_.reset();  // before the addresses are free for another
  munmap(base_, static_cast<size_t>(bytes_));
}

int64_t Arena::touchedBytes() const { return bytesInMemory(base_, resident_); }

}  // namespace rlc::host
