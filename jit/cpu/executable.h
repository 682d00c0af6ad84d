// Programs of the loop IR as native code for this machine (LLVM ORC), and how to run them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/loops/ir.h"
#include "jit/runtime/machine.h"

namespace rlc::cpu {

struct CompileOptions {
  int optimization = 2;          // 0 to 3
  int vectorWidth = 0;           // lanes of a block: 1, 4, 8, 16, 32; 0: by the host
  int maximumChunks = 64;        // pieces of a parallel loop; results depend on it, never on the number of threads
  bool tileContractions = true;
  bool cache = true;             // look for the object code in the cache's folder, and leave it there
  std::string cacheFolder;       // empty: $RLC_CACHE_DIR, else $XDG_CACHE_HOME/rlc, else ~/.cache/rlc
  bool timeRegions = false;      // RunContext::regionSeconds; such code is not kept in the cache
  bool perfMap = false;          // write /tmp/perf-PID.map for `perf`; so does $RLC_PERF_MAP
  std::function<void(std::string_view stage, const std::string& text)> dump;  // "loops", "llvm", "optimized", "assembly"
};

struct CompileTimes {            // seconds
  double plan = 0, emit = 0, optimize = 0, generate = 0, link = 0;
  bool cached = false;
};

using runtime::Outcome;
using runtime::Progress;

struct RunContext {
  void* arena = nullptr;                // 64-byte aligned, at least Program::arenaBytes
  int64_t arenaBytes = 0;
  const void* parameters = nullptr;     // Program::parameterBytes
  uint64_t seed = 0;
  int threads = 1;
  std::function<void(int sink, std::span<const int64_t> coordinates)> emit;
  const std::atomic<bool>* stop = nullptr;  // looked at every million operations or so
  std::vector<double>* regionSeconds = nullptr;  // [region] of the program: filled when the run ends
  Progress* progress = nullptr;         // filled when the run ends, also where `emit` threw
};

class Executable {
 public:
  virtual ~Executable() = default;
  // May be called from several threads at a time. Exceptions of `emit` pass through after the program has been left.
  virtual Outcome run(const RunContext& context) const = 0;
  virtual const CompileTimes& times() const = 0;
  virtual int64_t scratchBytes(int threads) const = 0;  // what a run allocates beside the arena
  virtual std::string_view object() const = 0;          // the relocatable object file
};

std::unique_ptr<Executable> compile(const loops::Program& program, const CompileOptions& options);

// The text of the program's code after optimization.
std::string llvmText(const loops::Program& program, const CompileOptions& options);
std::string assemblyText(const loops::Program& program, const CompileOptions& options);

struct HostDescription {
  std::string cpu;                      // LLVM's name of the processor
  int vectorBytes = 16;                 // of the widest vector register
  int vectorRegisters = 16;
  int defaultWidth() const { return 2 * vectorBytes / 4; }  // f32 lanes of a block: two registers
};
const HostDescription& host();

}  // namespace rlc::cpu
