// A temporary file without a name, mapped over a range of addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rlc::host {

class MappedFile {
 public:
  // Over bytes that are mapped already. Throws DeviceError where no such file can be made, and
  // std::bad_alloc.
  MappedFile(std::byte* at, int64_t bytes);
  ~MappedFile();  // the addresses remain the caller's
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // What is there is not needed any more: it is neither written out nor read back, and is zero or
  // what it was. Its place on the disk remains. Does nothing where the memory isn't short, and for
  // addresses of no file.
  static void drop(const char* from, int64_t bytes);

 private:
  std::byte* at_;
};

// Of the pages that hold these bytes, those that are in memory, of a file as of anything else.
int64_t bytesInMemory(const void* from, int64_t bytes);

int64_t freeFileBytes();  // where files would be
// What to say where that is too little for a file of so many bytes.
std::string noFileRoom(int64_t bytes);

}  // namespace rlc::host
