#include "jit/host/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

namespace rlc::host {

namespace {

std::string fileFolder() {
  std::error_code code;
  const auto folder = std::filesystem::temp_directory_path(code);
  return code ? "/tmp" : folder.string();
}

int64_t pageBytes() { return sysconf(_SC_PAGESIZE); }

int64_t wholePages(int64_t bytes) { return (bytes + pageBytes() - 1) / pageBytes() * pageBytes(); }

// Maps a new file of this size over the range; false where that can't be.
bool mapFile(std::byte* at, int64_t bytes) {
  std::string name = fileFolder() + "/rlc-arena-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return false;
  unlink(name.c_str());
  const bool sized = posix_fallocate(file, 0, bytes) == 0;
  void* mapped = sized ? mmap(at, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_FIXED, file, 0)
                       : MAP_FAILED;
  close(file);
  return mapped != MAP_FAILED;
}

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
  if (mapFile(base_ + residentBytes, bytes_ - residentBytes)) return;
  munmap(base_, static_cast<size_t>(bytes_));
  throw std::bad_alloc();
}

Arena::~Arena() { munmap(base_, static_cast<size_t>(bytes_)); }

int64_t Arena::touchedBytes() const {
  const int64_t range = wholePages(resident_);
  std::vector<unsigned char> pages(static_cast<size_t>(range / pageBytes()));
  if (range == 0 || mincore(base_, static_cast<size_t>(range), pages.data()) != 0) return 0;
  return std::count_if(pages.begin(), pages.end(),
                       [](unsigned char page) { return (page & 1) != 0; }) *
         pageBytes();
}

int64_t machineMemory() { return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * pageBytes(); }

int64_t freeFileBytes() {
  struct statvfs system;
  if (statvfs(fileFolder().c_str(), &system) != 0) return 0;
  return static_cast<int64_t>(system.f_bavail) * static_cast<int64_t>(system.f_frsize);
}

}  // namespace rlc::host
