// Mapped files: what is dropped where the memory is short, and stays where it isn't.
#include "jit/host/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "jit/host/abi.h"
#include "jit/host/arena.h"
#include "jit/runtime/machine.h"

namespace rlc::host {
namespace {

constexpr int64_t kBytes = int64_t{1} << 20;

class Mapped : public testing::Test {
 protected:
  Mapped()
      : base_(static_cast<std::byte*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
        file_(base_, kBytes) {}
  ~Mapped() override { munmap(base_, kBytes); }
  char* at(int64_t offset) { return reinterpret_cast<char*>(base_ + offset); }
  // Out of memory, to the disk.
  void forget() {
    msync(base_, kBytes, MS_SYNC);
    madvise(base_, kBytes, MADV_PAGEOUT);
    madvise(base_, kBytes, MADV_DONTNEED);
  }

  std::byte* base_;
  MappedFile file_;
};

TEST_F(Mapped, CountsWhatIsInMemory) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  std::memset(at(0), 1, kBytes);
  EXPECT_EQ(bytesInMemory(at(0), kBytes), kBytes);
  EXPECT_EQ(bytesInMemory(at(page - 1), 2), 2 * page);
  EXPECT_EQ(bytesInMemory(at(0), 0), 0);
}

TEST_F(Mapped, WhatIsInMemoryIsNotDropped) {
  std::memset(at(0), 1, kBytes);
  rlc_drop(at(0), kBytes);
  EXPECT_EQ(*at(kBytes / 2), 1);
}

TEST_F(Mapped, DroppedIsZeroOrWhatItWasAndTheRestStays) {
  std::memset(at(0), 1, kBytes);
  forget();
  rlc_drop(at(100), kBytes / 2);
  for (int64_t k = 0; k < kBytes; ++k) {
    const char value = *at(k);
    if (k < 100 || k >= 100 + kBytes / 2)
      ASSERT_EQ(value, 1) << k;
    else
      ASSERT_TRUE(value == 0 || value == 1) << k;
  }
  std::memset(at(0), 2, kBytes);
  EXPECT_EQ(*at(kBytes / 4), 2);
}

TEST_F(Mapped, OtherAddressesAreLeftAlone) {
  std::string other(kBytes, 'x');
  rlc_drop(other.data(), kBytes);
  rlc_drop(at(kBytes / 2), kBytes);  // beyond its end
  rlc_fetch_ahead(other.data(), kBytes);
  EXPECT_EQ(other, std::string(kBytes, 'x'));
  EXPECT_EQ(*at(kBytes - 1), 0);
}

TEST(MappedFiles, OneThatCannotBeMadeSaysWhereAndWhatToDo) {
  try {
    const MappedFile file(nullptr, int64_t{1} << 60);  // more than any file may have
    FAIL();
  } catch (const runtime::DeviceError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(std::filesystem::temp_directory_path().string()), std::string::npos);
    EXPECT_NE(text.find("TMPDIR"), std::string::npos);
  }
}

// An arena's addresses are another's as soon as it gives them back.
TEST(Arenas, ComeAndGoOnSeveralThreads) {
  constexpr int kThreads = 4, kArenas = 200;
  const auto openFiles = [] {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
  };
  const auto before = openFiles();
  std::vector<std::jthread> threads;
  for (int k = 0; k < kThreads; ++k)
    threads.emplace_back([] {
      for (int i = 0; i < kArenas; ++i) std::memset(Arena(0, 1 << 16).get(), 1, 1 << 16);
    });
  threads.clear();
  EXPECT_EQ(openFiles(), before);
}

}  // namespace
}  // namespace rlc::host
