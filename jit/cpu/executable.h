// Programs of the loop IR as native code for this machine (LLVM ORC), and how to run them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/loops/ir.h"
#include "jit/host/kernel.h"

namespace rlc::cpu {

struct CompileOptions {
  int optimization = 2;   // 0 to 3
  std::string targetCpu;  // LLVM's name of a processor, or "baseline": any of this architecture;
                          // empty: this machine's
  int vectorWidth = 0;    // lanes of a block: 1, 4, 8, 16, 32; 0: by the host
  int maximumChunks =
      64;  // pieces of a parallel loop; results depend on it, never on the number of threads
  bool tileContractions = true;
  // Factors of products of f32 may be rounded to bf16, where the processor multiplies pairs of
  // these (factor_pairs.h); sums stay f32.
  bool roundFactors = false;
  bool cache = true;         // look for the object code in the cache's folder, and leave it there
  std::string cacheFolder;   // empty: $RLC_CACHE_DIR, else $XDG_CACHE_HOME/rlc, else ~/.cache/rlc
  int parts = 0;             // objects made at the same time; 0: as many as pay on this machine
  bool timeRegions = false;  // RunContext::regionSeconds; such code is not kept in the cache
  bool perfMap = false;      // write /tmp/perf-PID.map for `perf`; so does $RLC_PERF_MAP
  std::function<void(std::string_view stage, const std::string& text)>
      dump;  // "loops", "llvm", "optimized", "assembly"
};

struct CompileTimes {  // seconds; `generate` has what is optimized function by function
  double plan = 0, emit = 0, optimize = 0, generate = 0, link = 0;
  bool cached = false;
};

using host::Kernel;
using host::RunContext;
using runtime::Outcome;
using runtime::Progress;

class Executable {
 public:
  virtual ~Executable() = default;
  virtual const Kernel& kernel() const = 0;
  virtual const CompileTimes& times() const = 0;
  virtual std::span<const std::string> objects() const = 0;  // relocatable object files
  // What keptExecutable finds it by; empty: it is not kept.
  virtual const std::string& key() const = 0;
  Outcome run(const RunContext& context) const { return host::runKernel(kernel(), context); }
};

std::unique_ptr<Executable> compile(const loops::Program& program, const CompileOptions& options);
// What a compilation with these options has kept, of a program with such an arena; nullptr: it is
// there no more.
std::unique_ptr<Executable> keptExecutable(const std::string& key, int64_t arenaBytes,
                                           const CompileOptions& options);

// The text of the program's code after optimization.
std::string llvmText(const loops::Program& program, const CompileOptions& options);
std::string assemblyText(const loops::Program& program, const CompileOptions& options);

// How the code for a program adds up floats, where its loops leave that to the code generator: by
// buffer, -1 for all locals, texts to compare. Two programs whose loops take their sums through the
// same points in the same order and whose texts are alike compute the same bits.
using SumOrders = std::map<loops::BufferId, std::multiset<std::string>>;
SumOrders sumOrders(const loops::Program& program, const CompileOptions& options);

// What becomes of a region.
struct RegionCode {
  int timedWith = -1;  // the one with which its time is told: threads take several side by side, or
                       // itself
  bool pairs = false;  // whether it multiplies pairs of bf16
};
// [region]
std::vector<RegionCode> codeOfRegions(const loops::Program& program, const CompileOptions& options);

// The processor that code is made for.
struct TargetDescription {
  std::string cpu;       // LLVM's name of it
  std::string features;  // as LLVM writes them
  int vectorBytes = 16;  // of the widest vector register
  int vectorRegisters = 16;
  bool compressesBytes = false;                             // AVX-512 VBMI2, and BMI2
  bool multipliesPairs = false;                             // AVX-512 BF16
  int defaultWidth() const { return 2 * vectorBytes / 4; }  // f32 lanes of a block: two registers
};
const TargetDescription& host();
// Throws UnknownProcessor.
TargetDescription targetOf(const CompileOptions& options);
// Which of these, by LLVM's names ("avx2"), the target's code may use.
std::vector<std::string> featuresOf(const TargetDescription& target,
                                    std::span<const std::string_view> names);

class UnknownProcessor : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An object file with these bytes as a constant: `symbol`, and `symbol`_size, an i64.
std::string dataObject(const std::string& symbol, std::string_view bytes);

}  // namespace rlc::cpu
