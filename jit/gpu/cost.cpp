#include "jit/gpu/cost.h"

#include <algorithm>

#include "compiler/loops/work.h"
#include "jit/gpu/windows.h"

namespace rlc::gpu {

namespace {

// Floating-point operations per second.
constexpr double kProcessorThread = 2e10;
constexpr double kGpuProcessor = 2e10;       // of one of its processors, with enough threads
constexpr double kGpuThread = 1e8;           // of one thread alone
constexpr double kThreadsOfProcessor = 512;  // that one of its processors needs to be busy
constexpr double kStartUp = 1.0;             // seconds: context, compiler

class Estimate {
 public:
  Estimate(const loops::Program& program, const DeviceDescription& device)
      : program_(program), device_(device), ranges_(loopRanges(program.body)), work_(program) {}

  double flops() const { return work_.total().flops; }

  double seconds() {
    visit(program_.body);
    const double rest = std::max(0.0, flops() - parallel_);
    return kStartUp + seconds_ + rest / kGpuThread;
  }

 private:
  void visit(const loops::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == loops::Stmt::Kind::For && stmt->loop != loops::Stmt::Loop::Sequential) {
        const double flops = work_.of(*stmt).flops, full = device_.processors * kThreadsOfProcessor;
        parallel_ += flops;
        seconds_ += flops / std::max(kGpuThread, device_.processors * kGpuProcessor *
                                                     std::min(1.0, widthOf(*stmt) / full));
        continue;
      }
      visit(stmt->body);
      visit(stmt->otherwise);
    }
  }

  // Iterations that may run side by side.
  double widthOf(const loops::Stmt& stmt) const {
    const auto lo = cpu::rangeOf(stmt.lo, ranges_), hi = cpu::rangeOf(stmt.hi, ranges_);
    double inside = 1;
    for (const auto& inner : stmt.body)
      if (inner->kind == loops::Stmt::Kind::For && inner->loop != loops::Stmt::Loop::Sequential)
        inside = std::max(inside, widthOf(*inner));
    return std::max(1.0, lo && hi ? static_cast<double>(hi->hi - lo->lo) : 16.0) * inside;
  }

  const loops::Program& program_;
  const DeviceDescription& device_;
  cpu::Ranges ranges_;
  loops::WorkCount work_;
  double seconds_ = 0, parallel_ = 0;
};

}  // namespace

bool paysOnGpu(const loops::Program& program, const DeviceDescription& device, int threads) {
  Estimate estimate(program, device);
  return estimate.seconds() < estimate.flops() / (kProcessorThread * std::max(1, threads));
}

}  // namespace rlc::gpu
