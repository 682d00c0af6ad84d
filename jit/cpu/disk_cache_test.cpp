#include "jit/cpu/disk_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace rlc::cpu {
namespace disk_cache_test {

namespace fs = std::filesystem;

class Disk : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::temp_directory_path() / ("rlc-disk-test-" + std::to_string(getpid()));
  DiskCache cache_{folder_.string()};
};

TEST_F(Disk, FindsWhatWasKept) {
  const std::string bytes("two\0lines\n", 10);
  EXPECT_EQ(cache_.find("a.o"), std::nullopt);
  cache_.keep("a.o", bytes);
  EXPECT_EQ(cache_.find("a.o"), bytes);
  EXPECT_EQ(cache_.find("b.o"), std::nullopt);
  cache_.keep("a.o", "");
  EXPECT_EQ(cache_.find("a.o"), "");
}

TEST_F(Disk, AnEntryUnderAnotherNameIsNone) {
  cache_.keep("a.o", "code");
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.path().extension() == ".o")
      fs::copy_file(entry.path(),
                    entry.path().string().replace(entry.path().string().size() - 3, 1, "b"));
  EXPECT_EQ(cache_.find("b.o"), std::nullopt);
}

// Files of others in the folder stay.
TEST_F(Disk, WhatWasNotReadForLongGoes) {
  cache_.keep("old.o", "code");
  std::ofstream(folder_ / "notes.txt") << "mine";
  const auto then = std::chrono::system_clock::now() - std::chrono::hours(24 * 40);
  const timespec time = {std::chrono::system_clock::to_time_t(then), 0}, times[] = {time, time};
  for (const auto& entry : fs::directory_iterator(folder_))
    ASSERT_EQ(utimensat(AT_FDCWD, entry.path().c_str(), times, 0), 0);
  cache_.keep("new.o", "code");
  EXPECT_EQ(cache_.find("old.o"), std::nullopt);
  EXPECT_EQ(cache_.find("new.o"), "code");
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
}

}  // namespace disk_cache_test
}  // namespace rlc::cpu
