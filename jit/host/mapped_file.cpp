#include "jit/host/mapped_file.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>
#include <system_error>

#include "jit/runtime/format.h"
#include "jit/runtime/machine.h"

namespace rlc::host {

namespace {

std::string fileFolder() {
  std::error_code code;
  const auto folder = std::filesystem::temp_directory_path(code);
  return code ? "/tmp" : folder.string();
}

const char* const kHint =
    "\nhint: set TMPDIR to a folder with more room, or a larger --memory-limit";

std::string noFile(int error) {
  return "the part of the program's memory that is a file can't be made in " + fileFolder() + ": " +
         std::system_category().message(error) + kHint;
}

// Generated code knows addresses only.
struct Mapped {
  int64_t bytes;
  int file;
};
struct Registry {
  std::shared_mutex mutex;
  std::map<const std::byte*, Mapped> files;  // by their first address
};
Registry& registry() {
  static Registry result;
  return result;
}

}  // namespace

MappedFile::MappedFile(std::byte* at, int64_t bytes) : at_(at) {
  std::string name = fileFolder() + "/rlc-arena-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) throw runtime::DeviceError(noFile(errno));
  unlink(name.c_str());
  if (const int error = posix_fallocate(file, 0, bytes); error != 0) {
    close(file);
    throw runtime::DeviceError(error == ENOSPC || error == EDQUOT ? noFileRoom(bytes)
                                                                  : noFile(error));
  }
  if (mmap(at, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
           0) == MAP_FAILED) {
    close(file);
    throw std::bad_alloc();
  }
  const std::unique_lock lock(registry().mutex);
  registry().files[at] = {bytes, file};
}

MappedFile::~MappedFile() {
  const std::unique_lock lock(registry().mutex);
  const auto found = registry().files.find(at_);
  close(found->second.file);
  registry().files.erase(found);
}

void MappedFile::drop(const char* from, int64_t bytes) {
  const auto* begin = reinterpret_cast<const std::byte*>(from);
  const std::shared_lock lock(registry().mutex);
  auto found = registry().files.upper_bound(begin);
  if (found == registry().files.begin()) return;
  --found;
  const int64_t page = sysconf(_SC_PAGESIZE), offset = begin - found->first;
  const int64_t first = (offset + page - 1) / page * page, end = (offset + bytes) / page * page;
  if (offset + bytes > found->second.bytes || first >= end) return;
  // Where most of it is in memory still, there is enough of that.
  if (bytesInMemory(found->first + first, end - first) >= (end - first) / 8 * 7) return;
  // Advice: where the file system can't, the bytes stay what they are.
  (void)!fallocate(found->second.file, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE, first,
                   end - first);
}

int64_t bytesInMemory(const void* from, int64_t bytes) {
  constexpr int64_t kPagesAtOnce = 1024;
  const int64_t page = sysconf(_SC_PAGESIZE);
  const auto begin = reinterpret_cast<uintptr_t>(from) & ~static_cast<uintptr_t>(page - 1);
  const auto end = reinterpret_cast<uintptr_t>(from) + static_cast<uintptr_t>(bytes);
  const auto piece = static_cast<uintptr_t>(page * kPagesAtOnce);
  std::array<unsigned char, kPagesAtOnce> there{};
  int64_t found = 0;
  for (uintptr_t at = begin; at < end; at += piece) {
    const uintptr_t length = std::min(end - at, piece);
    if (mincore(reinterpret_cast<void*>(at), length, there.data()) != 0) break;
    const auto pages = static_cast<std::ptrdiff_t>((length + static_cast<uintptr_t>(page) - 1) /
                                                   static_cast<uintptr_t>(page));
    found += page * std::count_if(there.begin(), there.begin() + pages,
                                  [](unsigned char flags) { return (flags & 1) != 0; });
  }
  return found;
}

std::string noFileRoom(int64_t bytes) {
  return "the program needs a file of " + runtime::sizeText(bytes) + ", and " + fileFolder() +
         " has " + runtime::sizeText(freeFileBytes()) + " free" + kHint;
}

int64_t freeFileBytes() {
  struct statvfs system;
  if (statvfs(fileFolder().c_str(), &system) != 0) return 0;
  return static_cast<int64_t>(system.f_bavail) * static_cast<int64_t>(system.f_frsize);
}

}  // namespace rlc::host
