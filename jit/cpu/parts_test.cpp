#include "jit/cpu/parts.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <filesystem>
#include <mutex>

#include "jit/cpu/module.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace parts_test {

// Three functions, one of which calls the others; a table that two read; a value looked up by name.
constexpr const char* kModule = R"(
  @table = private constant [2 x i64] [i64 3, i64 4]
  @size = constant i64 5
  define i64 @first(i64 %x) {
    %a = call i64 @second(i64 %x)
    %b = call i64 @third(i64 %a)
    ret i64 %b
  }
  define internal i64 @second(i64 %i) {
    %p = getelementptr [2 x i64], ptr @table, i64 0, i64 %i
    %v = load i64, ptr %p
    ret i64 %v
  }
  define internal i64 @third(i64 %i) {
    %v = load i64, ptr @table
    %s = add i64 %v, %i
    ret i64 %s
  }
)";

std::unique_ptr<llvm::Module> parsed(llvm::LLVMContext& context) {
  llvm::SMDiagnostic error;
  return llvm::parseAssemblyString(kModule, error, context);
}

TEST(Parts, EachFunctionIsInOneAndDataWhereItIsRead) {
  llvm::LLVMContext context;
  std::mutex mutex;
  std::map<std::string, int> functions, data;
  const auto names = generateInParts(parsed(context), 3, [&](llvm::Module& part) {
    const std::lock_guard lock(mutex);
    std::string defined;
    for (const llvm::Function& function : part)
      if (!function.isDeclaration()) {
        ++functions[function.getName().str()];
        defined = function.getName();
      }
    for (const llvm::GlobalVariable& global : part.globals())
      if (!global.isDeclaration()) ++data[global.getName().str()];
    return defined;
  });
  EXPECT_EQ(names.size(), 3u);
  EXPECT_EQ(functions, (std::map<std::string, int>{{"first", 1}, {"second", 1}, {"third", 1}}));
  EXPECT_EQ(data, (std::map<std::string, int>{{"size", 1}, {"table", 2}}));
}

TEST(Parts, SmallModulesAreOne) {
  llvm::LLVMContext context;
  EXPECT_EQ(worthwhileParts(*parsed(context), 16), 1);
}

TEST(Parts, WhatOneThrowsComesOut) {
  llvm::LLVMContext context;
  EXPECT_THROW(
      generateInParts(parsed(context), 2,
                      [](llvm::Module&) -> std::string { throw std::runtime_error("no"); }),
      std::runtime_error);
}

// A loop of 400 exponentials in parallel, then one of 64 sums, in as many parts as asked for, and
// once more from the cache.
TEST(Parts, ComputeTheSame) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 400), y = b.arena(DType::F32, 64);
  b.parallel(ix(0), ix(400), [&](Expr i) {
    b.store(x, i, loops::op(ScalarOp::Exp, {f32(0.01) * loops::cast(DType::F32, i)}));
  });
  b.parallel(ix(0), ix(64), [&](Expr i) { b.store(y, i, b.get(x, i) + b.get(x, i + ix(300))); });
  const auto folder =
      std::filesystem::temp_directory_path() / ("rlc-parts-test-" + std::to_string(getpid()));
  const auto valuesOf = [&](const Executable& executable) {
    Memory memory(b.program);
    RunContext context;
    context.arena = memory.arena();
    context.arenaBytes = b.program.arenaBytes;
    executable.run(context);
    std::vector<double> values;
    for (int64_t k = 0; k < 64; ++k) values.push_back(memory.get(y, k));
    return values;
  };
  CompileOptions alone;
  alone.cache = false;
  alone.parts = 1;
  const std::vector<double> expected = valuesOf(*compile(b.program, alone));
  for (const int parts : {2, 3, 16}) {
    CompileOptions options;
    options.parts = parts;
    options.cacheFolder = folder / std::to_string(parts);
    for (const bool again : {false, true}) {
      const auto executable = compile(b.program, options);
      EXPECT_EQ(executable->times().cached, again);
      EXPECT_EQ(executable->objects().size(), static_cast<size_t>(parts));
      EXPECT_EQ(valuesOf(*executable), expected);
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace parts_test
}  // namespace rlc::cpu
