// What control groups allow, read from files such as Linux shows.
#include "jit/host/machine_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace rlc::host {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr char kVersion2[] =
    "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
constexpr char kVersion1[] =
    "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

class ControlGroups : public testing::Test {
 protected:
  ControlGroups() : root_(fs::temp_directory_path() / ("rlc-groups-" + std::to_string(getpid()))) {}
  ~ControlGroups() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const fs::path file = root_ / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void process(const std::string& groups, const std::string& mounts) {
    write("proc/self/cgroup", groups);
    write("proc/self/mountinfo", mounts);
  }
  std::optional<int64_t> limit() const { return controlGroupLimit(root_); }

  fs::path root_;
};

TEST_F(ControlGroups, TheProcessOwn) {
  process("0::/user/job\n", kVersion2);
  EXPECT_EQ(limit(), std::nullopt);
  write("sys/fs/cgroup/user/job/memory.max", "max\n");
  EXPECT_EQ(limit(), std::nullopt);
  write("sys/fs/cgroup/user/job/memory.max", "209715200\n");
  write("sys/fs/cgroup/user/other/memory.max", "1000\n");
  EXPECT_EQ(limit(), 200 * kMiB);
}

TEST_F(ControlGroups, ThoseAroundItBindToo) {
  process("0::/user/job/step\n", kVersion2);
  write("sys/fs/cgroup/user/job/step/memory.max", "max\n");
  write("sys/fs/cgroup/user/job/memory.max", "314572800\n");
  write("sys/fs/cgroup/user/memory.max", "104857600\n");
  EXPECT_EQ(limit(), 100 * kMiB);
  write("sys/fs/cgroup/user/job/step/memory.max", "52428800\n");
  EXPECT_EQ(limit(), 50 * kMiB);
}

TEST_F(ControlGroups, OfVersion1) {
  process("8:pids:/\n4:memory:/a/b\n1:cpu:/c\n", kVersion1);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "209715200\n");
  write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/cpu/c/memory.limit_in_bytes", "1000\n");
  EXPECT_EQ(limit(), 200 * kMiB);
}

TEST_F(ControlGroups, OfBothVersionsTheLeast) {
  process("4:memory:/old\n0::/new\n",
          std::string(kVersion1) + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 c rw\n");
  write("sys/fs/cgroup/memory/old/memory.limit_in_bytes", "209715200\n");
  EXPECT_EQ(limit(), 200 * kMiB);
  write("sys/fs/cgroup/unified/new/memory.max", "104857600\n");
  EXPECT_EQ(limit(), 100 * kMiB);
}

// Its own group is all that it sees, under the name that the host has for it.
TEST_F(ControlGroups, OfAContainer) {
  process("4:memory:/docker/abc\n",
          "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "209715200\n");
  EXPECT_EQ(limit(), 200 * kMiB);
  process("0::/../other\n", kVersion2);  // the group of another view
  write("sys/fs/cgroup/memory.max", "104857600\n");
  EXPECT_EQ(limit(), 100 * kMiB);
}

TEST_F(ControlGroups, NoneWhereThereAreNoFiles) {
  EXPECT_EQ(limit(), std::nullopt);
  process("nonsense\n0::\n", "nonsense - \n- - -\n");
  EXPECT_EQ(limit(), std::nullopt);
}

TEST(MachineMemory, IsSome) { EXPECT_GT(machineMemory(), kMiB); }

}  // namespace
}  // namespace rlc::host
