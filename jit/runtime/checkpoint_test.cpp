#include "jit/runtime/checkpoint.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "jit/runtime/checkpoint_header.h"

namespace rlc::runtime {
namespace {

namespace fs = std::filesystem;

class CheckpointTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              (std::string("rlc_checkpoint_") + test->name() + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path_ = folder_ / "policy.ckpt";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void writeSample() {
    const SavedTensor tensors[] = {{"θ.W", DType::F32, {2, 3}, weights_},
                                   {"count", DType::I64, {}, &count_},
                                   {"empty \"one\"", DType::BF16, {0, 4}, nullptr}};
    const FileStatus status =
        writeCheckpoint(path_, {{"seed", "1"}, {"iteration", "200"}}, tensors);
    ASSERT_TRUE(status.ok()) << status.error;
  }
  std::string contents() {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string errorOf(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    Checkpoint ignored;
    return readCheckpoint(path_, ignored).error;
  }

  fs::path folder_;
  std::string path_;
  float weights_[6] = {1.5f, -2.0f, 3.0f, 0.0f, 1e-30f, 7.0f};
  int64_t count_ = -5;
};

TEST_F(CheckpointTest, readsBackWhatWasWritten) {
  writeSample();
  Checkpoint read;
  const FileStatus status = readCheckpoint(path_, read);
  ASSERT_TRUE(status.ok()) << status.error;
  EXPECT_EQ(read.attributes, (Attributes{{"seed", "1"}, {"iteration", "200"}}));
  ASSERT_EQ(read.tensors.size(), 3u);
  const SavedTensor* w = read.find("θ.W");
  ASSERT_TRUE(w);
  EXPECT_EQ(w->type, DType::F32);
  EXPECT_EQ(w->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(std::memcmp(w->data, weights_, sizeof weights_), 0);
  EXPECT_EQ(std::memcmp(read.find("count")->data, &count_, 8), 0);
  EXPECT_EQ(read.find("empty \"one\"")->shape, (std::vector<int64_t>{0, 4}));
  EXPECT_FALSE(read.find("other"));
}

TEST_F(CheckpointTest, tensorsAreAlignedInTheFile) {
  writeSample();
  Checkpoint read;
  ASSERT_TRUE(readCheckpoint(path_, read).ok());
  for (const SavedTensor& tensor : read.tensors) {
    EXPECT_EQ((static_cast<const std::byte*>(tensor.data) - read.bytes.data()) % 64, 0);
  }
}

TEST_F(CheckpointTest, leavesNoTemporaryFileAndReplacesTheOldOne) {
  writeSample();
  writeSample();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(CheckpointTest, refusesEveryCutAndEveryChangedByte) {
  writeSample();
  const std::string whole = contents();
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::string error = errorOf(whole.substr(0, length));
    EXPECT_NE(error.find(length == 0 ? "not a checkpoint" : "cut short"), std::string::npos)
        << length << error;
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_FALSE(errorOf(changed).empty()) << at;
  }
  EXPECT_NE(errorOf(whole + "x").find("damaged"), std::string::npos);
  EXPECT_EQ(errorOf(whole), "");
}

TEST_F(CheckpointTest, saysWhatIsWrong) {
  EXPECT_EQ(errorOf("hello, world"), "'" + path_ + "' is not a checkpoint");
  writeSample();
  std::string newer = contents();
  newer[8] = 2;
  EXPECT_EQ(errorOf(newer), "'" + path_ + "' has format version 2; this program reads version 1");
  Checkpoint ignored;
  EXPECT_EQ(readCheckpoint(folder_ / "none", ignored).error,
            "cannot read '" + (folder_ / "none").string() + "': No such file or directory");
  EXPECT_EQ(readCheckpoint(folder_, ignored).error,
            "cannot read '" + folder_.string() + "': it is not a file");
}

TEST_F(CheckpointTest, aFailedWriteLeavesTheOldFile) {
  EXPECT_EQ(writeCheckpoint(folder_ / "none" / "x", {}, {}).error,
            "cannot write '" + (folder_ / "none" / "x").string() + "': No such file or directory");
  fs::create_directories(folder_ / "occupied" /
                         "inside");  // a rename onto a folder that is not empty fails
  EXPECT_FALSE(writeCheckpoint(folder_ / "occupied", {}, {}).ok());
  EXPECT_TRUE(fs::exists(folder_ / "occupied" / "inside"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(CheckpointTest, aDiskThatFillsUpLeavesTheOldFile) {
  writeSample();
  const std::string before = contents();
  rlimit old;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{4096, old.rlim_max};  // stands for the full disk: writes beyond it fail
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::vector<float> large(5000, 1.0f);
  const SavedTensor tensors[] = {{"w", DType::F32, {5000}, large.data()}};
  const FileStatus status = writeCheckpoint(path_, {}, tensors);
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(status.error, "cannot write '" + path_ + "': File too large");
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST(CheckpointHeader, survivesForeignJson) {
  CheckpointHeader header;
  EXPECT_TRUE(parseHeader(
      R"({"new": [1, {"a": null}, "x"], "tensors": [{"dtype": "f64", "extra": true, "shape": [2]}]})",
      header));
  ASSERT_EQ(header.tensors.size(), 1u);
  EXPECT_EQ(header.tensors[0].type, DType::F64);
  for (const char* bad :
       {"", "{", "[]", "{\"tensors\": [{}]}", "{\"tensors\": [{\"dtype\": \"f16\"}]}",
        "{\"a\": \"\\u12\"}", "{\"a\": \"\\", "{} x", "{\"a\": }"}) {
    EXPECT_FALSE(parseHeader(bad, header)) << bad;
  }
  EXPECT_FALSE(parseHeader("{\"a\": " + std::string(100000, '['), header));
}

TEST(CheckpointHeader, sizesThatOverflowAreRefused) {
  const int64_t huge = int64_t{1} << 40;
  EXPECT_EQ(tensorBytes(DType::F32, std::vector<int64_t>{huge, huge}), -1);
  EXPECT_EQ(tensorBytes(DType::F32, std::vector<int64_t>{-1}), -1);
  EXPECT_EQ(tensorBytes(DType::F32, std::vector<int64_t>{huge, 0}), 0);
  EXPECT_EQ(tensorBytes(DType::F32, {}), 4);
}

TEST(Crc32, agreesWithTheStandardCheckValue) {
  const char text[] = "123456789";
  EXPECT_EQ(crc32(std::as_bytes(std::span(text, 9))), 0xCBF43926u);
  EXPECT_EQ(crc32(std::as_bytes(std::span(text + 4, 5)), crc32(std::as_bytes(std::span(text, 4)))),
            0xCBF43926u);
}

}  // namespace
}  // namespace rlc::runtime
