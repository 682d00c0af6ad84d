#include "jit/gpu/cost.h"

#include <algorithm>

#include "compiler/loops/work.h"
#include "jit/gpu/windows.h"

namespace rlc::gpu {

namespace {

// Rates for an estimate. On an H100 a loop over 512 lanes and one over 32,768 ran at 1.2 and 0.55
// times what they give (docs/performance.md). What a device's clock and bus tell is taken from it.
//
// Floating-point operations per second. A thread of a processor and a GPU reach the same part of
// what they could.
constexpr double kShareOfPeak = 1.0 / 8;
constexpr double kProcessorThread = 2e10;    // 16 lanes of 2 operations at 5 GHz, an eighth
constexpr double kGpuProcessor = 2e10;       // of one of its processors, where it tells no clock
constexpr double kGpuThread = 1e8;           // of one thread alone, each waiting for the last
constexpr double kThreadsOfProcessor = 512;  // that one of its processors needs to be busy

// Bytes per second, of programs that no cache holds: two channels of DDR4-3200 (JESD79-4: 25.6 GB/s
// each).
constexpr double kProcessorBytes = 51.2e9;
constexpr double kCache = 32e6;  // bytes

// Seconds. A launch: 4 to 6 us were measured on a GeForce RTX 5070 Ti with CUDA 13
// (susun-blog.com/blog/pegainfer-3-cuda-graph).
constexpr double kLaunch = 5e-6;
constexpr double kStartUp = 1.0;  // context, compiler

class Estimate {
 public:
  Estimate(const loops::Program& program, const DeviceDescription& device)
      : program_(program),
        device_(device),
        ranges_(loopRanges(program.body)),
        work_(program),
        runs_(loops::executionsOf(program)) {}

  double onProcessor(int threads) const {
    const loops::Work all = work_.total();
    return std::max(all.flops / (kProcessorThread * std::max(1, threads)),
                    traffic(all) / kProcessorBytes);
  }

  double onGpu() {
    visit(program_.body);
    const double rest = std::max(0.0, work_.total().flops - parallel_);
    return kStartUp + seconds_ + rest / kGpuThread;
  }

 private:
  // Bytes to memory and back: what is stored is read, too.
  double traffic(const loops::Work& work) const {
    return program_.arenaBytes > kCache ? 2 * work.arenaStoreBytes : 0;
  }

  void visit(const loops::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind != loops::Stmt::Kind::For || stmt->loop == loops::Stmt::Loop::Sequential) {
        visit(stmt->body);
        visit(stmt->otherwise);
        continue;
      }
      const loops::Work work = work_.of(*stmt);
      parallel_ += work.flops;
      const double busy =
          std::min(1.0, widthOf(*stmt) / (device_.processors * kThreadsOfProcessor));
      const double flops = device_.peakFlops > 0 ? kShareOfPeak * device_.peakFlops
                                                 : device_.processors * kGpuProcessor;
      const double memory =
          device_.peakBytes > 0 ? traffic(work) / (device_.peakBytes * busy) : 0.0;
      const auto runs = runs_.find(stmt.get());
      seconds_ += (runs == runs_.end() ? 0.0 : runs->second.times) * kLaunch +
                  std::max(work.flops / std::max(kGpuThread, flops * busy), memory);
    }
  }

  // Iterations that may run side by side.
  double widthOf(const loops::Stmt& stmt) const {
    double inside = 1;
    for (const auto& inner : stmt.body)
      if (inner->kind == loops::Stmt::Kind::For && inner->loop != loops::Stmt::Loop::Sequential)
        inside = std::max(inside, widthOf(*inner));
    return std::max(1.0, static_cast<double>(mostIterations(stmt, ranges_).value_or(16))) * inside;
  }

  const loops::Program& program_;
  const DeviceDescription& device_;
  cpu::Ranges ranges_;
  loops::WorkCount work_;
  loops::Executions runs_;
  double seconds_ = 0, parallel_ = 0;
};

}  // namespace

bool paysOnGpu(const loops::Program& program, const DeviceDescription& device, int threads) {
  Estimate estimate(program, device);
  return estimate.onGpu() < estimate.onProcessor(threads);
}

}  // namespace rlc::gpu
