#include "jit/cpu/cache_key.h"

#include <gtest/gtest.h>
#include <llvm/Config/llvm-config.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace cache_key_test {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() / ("rlc-cache-test-" + std::to_string(getpid()) + "-" +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    options_.cacheFolder = folder_.string();
    y_ = b_.arena(DType::F32, 64);
    b_.lanes(ix(0), ix(64), [&](Expr i) { b_.store(y_, i, loops::cast(DType::F32, i)); });
  }
  void TearDown() override { fs::remove_all(folder_); }

  bool compileAndRun() {
    const auto executable = compile(b_.program, options_);
    Memory memory(b_.program);
    RunContext context;
    context.arena = memory.arena();
    context.arenaBytes = b_.program.arenaBytes;
    executable->run(context);
    EXPECT_EQ(memory.get(y_, 63), 63.0);
    return executable->times().cached;
  }

  fs::path folder_;
  CompileOptions options_;
  Builder b_;
  BufferId y_ = -1;
};

TEST_F(Cache, ServesTheSecondCompilation) {
  EXPECT_FALSE(compileAndRun());
  EXPECT_TRUE(compileAndRun());
  options_.vectorWidth = 8;
  EXPECT_FALSE(compileAndRun());
}

TEST_F(Cache, IgnoresDamagedEntries) {
  EXPECT_FALSE(compileAndRun());
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != ".o") continue;
    fs::resize_file(entry.path(), fs::file_size(entry.path()) - 7);
    EXPECT_FALSE(compileAndRun());
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(200);
    file << "nonsense";
  }
  EXPECT_FALSE(compileAndRun());
  EXPECT_TRUE(compileAndRun());
}

TEST_F(Cache, DoesWithoutAFolder) {
  std::ofstream(folder_) << "a file where the folder should be";
  EXPECT_FALSE(compileAndRun());
  EXPECT_FALSE(compileAndRun());
}

TEST_F(Cache, KeysTellProgramsApart) {
  const std::string key = cacheKey(b_.program, options_);
  b_.store(y_, ix(0), f32(1.0));
  const std::string other = cacheKey(b_.program, options_);
  EXPECT_NE(key, other);
  options_.optimization = 1;
  EXPECT_NE(other, cacheKey(b_.program, options_));
  options_.optimization = 2;
  options_.roundFactors = true;
  EXPECT_NE(other, cacheKey(b_.program, options_));
}

// Code that another processor's cache holds, or another compiler's, is not this one's.
TEST_F(Cache, KeysTellProcessorsAndCompilersApart) {
  const Maker maker = makerOf(options_);
  EXPECT_EQ(maker.target.cpu, host().cpu);
  EXPECT_GE(maker.compiler.size(), 16 + std::string(LLVM_VERSION_STRING).size());  // and a hash
  EXPECT_TRUE(maker.compiler.ends_with(LLVM_VERSION_STRING));
  std::set<std::string> keys{cacheKey(b_.program, options_)};
  EXPECT_TRUE(keys.contains(cacheKey(b_.program, options_, maker)));
  Maker newer = maker;
  newer.compiler += "x";
  EXPECT_TRUE(keys.insert(cacheKey(b_.program, options_, newer)).second);
  for (std::string TargetDescription::* part :
       {&TargetDescription::cpu, &TargetDescription::features}) {
    Maker other = maker;
    other.target.*part += "x";
    EXPECT_TRUE(keys.insert(cacheKey(b_.program, options_, other)).second);
  }
  options_.targetCpu = "baseline";
  EXPECT_TRUE(keys.insert(cacheKey(b_.program, options_)).second);
  EXPECT_NE(cacheKey("text", options_), cacheKey("text", CompileOptions{}));
}

// Loops of which it is known that any order will do become other code.
TEST_F(Cache, KeysTellLoopsOverElementsApart) {
  const std::string key = cacheKey(b_.program, options_);
  b_.program.body.front()->elements = true;
  EXPECT_NE(key, cacheKey(b_.program, options_));
}

}  // namespace cache_key_test
}  // namespace rlc::cpu
