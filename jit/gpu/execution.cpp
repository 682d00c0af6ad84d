#include "jit/gpu/execution.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <set>
#include <thread>

#include "compiler/diagnostics/internal_error.h"
#include "jit/gpu/abi.h"
#include "jit/gpu/graphs.h"
#include "jit/gpu/host_values.h"
#include "jit/gpu/points.h"
#include "jit/gpu/stopwatch.h"
#include "jit/gpu/swapping.h"

namespace rlc::gpu {

namespace {

using loops::Buffer;
using loops::Expr;
using loops::VarId;
using runtime::ByteRange;
using runtime::Outcome;

constexpr int kNotReady = 600;
constexpr int64_t kFewestRepeats = 3;  // of a loop whose body is worth a graph

class GpuExecution : public runtime::Execution, public runtime::ArenaView {
 public:
  GpuExecution(const Device& device, const Module& module, const std::vector<CUfunction>& kernels,
               CUfunction set, MatmulPrecision precision)
      : device_(device),
        api_(device.api()),
        program_(*module.program),
        module_(module),
        kernels_(kernels),
        set_(set),
        arena_(device, static_cast<size_t>(module.program->residentBytes), "tensors"),
        swapped_(device,
                 static_cast<size_t>(module.program->arenaBytes - module.program->residentBytes)),
        scratch_(device, static_cast<size_t>(module.scratchBytes), "partial results"),
        frame_(device, static_cast<size_t>(module.frameSlots) * 8, "variables"),
        parameters_(device, static_cast<size_t>(module.program->parameterBytes), "params"),
        fault_(device, sizeof(DeviceFault), "the state of the run"),
        stop_(device, 64),
        stream_(device),
        done_(device),
        graphs_(device, stream_),
        points_(device, stream_) {
    std::memset(stop_.data(), 0, stop_.size());
    if (std::any_of(module.kernels.begin(), module.kernels.end(),
                    [](const Kernel& kernel) { return kernel.product.has_value(); }))
      blas_ = std::make_unique<Blas>(device, stream_, precision);
    if (std::any_of(module.kernels.begin(), module.kernels.end(),
                    [](const Kernel& kernel) { return !kernel.transfers.empty(); }))
      swapping_ = std::make_unique<Swapping>(device, program_.transferBytes, stream_);
    hostVariables_.resize(module.frameSlot.size());
  }

  const runtime::ArenaView& arena() const override { return *this; }

  Outcome run(const runtime::RunRequest& request) override {
    request_ = &request;
    run_ = {arena_.at(), swapped_.onDevice(), parameters_.at(), scratch_.at(),
            frame_.at(), fault_.at(),         stop_.onDevice(), request.seed};
    stopwatch_.reset();
    if (request.regionSeconds != nullptr) {
      request.regionSeconds->assign(module_.kernels.size(), 0.0);
      stopwatch_ = std::make_unique<Stopwatch>(device_);
    }
    if (request.deviceUse != nullptr)
      *request.deviceUse = {
          std::vector<int64_t>(module_.kernels.size()), plannedBytes(),
          static_cast<int64_t>(device_.freeAtFirst()) - static_cast<int64_t>(device_.freeBytes())};
    const DeviceFault none;
    if (program_.parameterBytes > 0)
      check(api_.cuMemcpyHtoDAsync_v2(parameters_.at(), request.parameters.data(),
                                      static_cast<size_t>(program_.parameterBytes), stream_),
            "passing the params");
    check(api_.cuMemcpyHtoDAsync_v2(fault_.at(), &none, sizeof none, stream_), "preparing the run");
    check(api_.cuMemsetD8Async(frame_.at(), 0, frame_.size(), stream_), "preparing the run");
    const Signal signal = walk(module_.steps, false);
    settle();
    synchronize();
    deliverAll();
    return outcome(signal == Signal::Stopped || stopped_);
  }

  // While a point is being delivered, what was fetched for it; otherwise the device's memory as it
  // is.
  const std::byte* bytes(const ByteRange& range) const override {
    if (delivering_ != nullptr)
      if (const std::byte* fetched = delivering_->find(range)) return fetched;
    fetched_.resize(static_cast<size_t>(std::max<int64_t>(range.size, 8)));
    fetch(fetched_.data(), place(range.offset), static_cast<size_t>(range.size));
    return fetched_.data();
  }

 private:
  enum class Signal { Done, Left, Stopped };

  void check(CUresult result, const std::string& what) const { device_.check(result, what); }

  // Of the arena's byte at `offset`, as the device addresses it; work on the stream finds it there.
  CUdeviceptr place(int64_t offset) const {
    if (offset < program_.residentBytes) return arena_.at(static_cast<size_t>(offset));
    settle();
    return swapped_.onDevice() + static_cast<size_t>(offset - program_.residentBytes);
  }

  void settle() const {
    if (swapping_) swapping_->settle();
  }

  // ---- waiting ----------------------------------------------------------------------------------

  // Waits without holding a processor for long, and passes a request to stop on to running kernels.
  void wait(CUevent event) const {
    auto pause = std::chrono::microseconds(5);
    for (;;) {
      const CUresult state = api_.cuEventQuery(event);
      if (state == 0) return;
      if (state != kNotReady) check(state, "running the program");
      pollStop();
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::microseconds(1000));
    }
  }

  void synchronize() const {
    check(api_.cuEventRecord(done_, stream_), "running the program");
    wait(done_);
  }

  bool pollStop() const {
    if (request_->stop == nullptr || !request_->stop->load(std::memory_order_relaxed)) return false;
    reinterpret_cast<volatile int*>(stop_.data())[0] = 1;
    stopped_ = true;
    return true;
  }

  void fetch(void* to, CUdeviceptr from, size_t bytes) const {
    if (bytes == 0) return;
    check(api_.cuMemcpyDtoHAsync_v2(to, from, bytes, stream_), "reading results");
    synchronize();
  }

  // All that is allocated on the device: of the program's own, and cuBLAS's workspace.
  int64_t plannedBytes() const {
    size_t bytes =
        arena_.size() + scratch_.size() + frame_.size() + parameters_.size() + fault_.size();
    if (blas_) bytes += blas_->workspaceBytes();
    if (swapping_) bytes += swapping_->bytes();
    return static_cast<int64_t>(bytes);
  }

  // ---- what the host knows ----------------------------------------------------------------------

  // `synchronous`: variables and elements of the device are waited for.
  HostScope scope(bool synchronous) const {
    HostScope result;
    result.variable = [this, synchronous](VarId var) -> std::optional<int64_t> {
      const auto& known = hostVariables_[static_cast<size_t>(var)];
      const int slot = module_.frameSlot[static_cast<size_t>(var)];
      if (known || !synchronous || slot < 0) return known;
      int64_t value = 0;
      fetch(&value, frame_.at(static_cast<size_t>(slot) * 8), 8);
      return value;
    };
    if (synchronous)
      result.element = [this](loops::BufferId id, int64_t index) { return element(id, index); };
    return result;
  }

  std::optional<int64_t> element(loops::BufferId id, int64_t index) const {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
    const size_t size = byteSize(buffer.type);
    int64_t word = 0;
    if (buffer.kind == Buffer::Kind::Constant) return buffer.data.at(static_cast<size_t>(index)).i;
    if (buffer.kind == Buffer::Kind::Parameter) {
      std::memcpy(&word, request_->parameters.data() + buffer.offset, size);
    } else if (buffer.kind == Buffer::Kind::Arena && index >= 0 && index < buffer.elements) {
      fetch(&word, place(buffer.offset + index * static_cast<int64_t>(size)), size);
    } else {
      return std::nullopt;
    }
    if (buffer.type == DType::I32) word = static_cast<int32_t>(word);
    return word;
  }

  int64_t demand(const Expr& e) const {
    const auto quick = evaluate(e, scope(false));
    if (quick) return *quick;
    const auto value = evaluate(e, scope(true));
    if (!value) throw InternalError("the GPU's host can't evaluate a bound");
    return *value;
  }

  bool holds(const std::vector<Expr>& guards) const {
    return std::all_of(guards.begin(), guards.end(),
                       [&](const Expr& guard) { return demand(guard) != 0; });
  }

  // ---- steps ------------------------------------------------------------------------------------

  Signal walk(const std::vector<Step>& steps, bool repeated) {
    size_t alone = 0;  // steps before this one are started one by one
    for (size_t k = 0; k < steps.size();) {
      if (pollStop()) return Signal::Stopped;
      const size_t run = repeated && k >= alone ? recordable(module_, steps, k) : 0;
      if (run > 0 && replay(steps, k, run)) {
        k += run;
        continue;
      }
      alone = std::max(alone, k + run);
      const Step& step = steps[k++];
      switch (step.kind) {
        case Step::Kind::Launch:
          if (const unsigned blocks = blocksOf(step.kernel); blocks > 0)
            stopwatch_ ? launchTimed(step.kernel, blocks) : launch(step.kernel, blocks);
          break;
        case Step::Kind::Emit:
          if (holds(step.guards)) emit(*step.statement);
          break;
        case Step::Kind::Leave:
          if (!holds(step.guards) || demand(step.statement->value) == 0) break;
          left_ = step.statement->var;
          return Signal::Left;
        case Step::Kind::Loop:
          if (!holds(step.guards)) break;
          if (const Signal signal = loop(step); signal != Signal::Done) return signal;
          break;
      }
    }
    return Signal::Done;
  }

  Signal loop(const Step& step) {
    const loops::Stmt& stmt = *step.statement;
    const int64_t lo = demand(stmt.lo), hi = demand(stmt.hi);
    const bool repeated = hi - lo >= kFewestRepeats && !capturing_ && !stopwatch_;
    for (int64_t n = 0; n < hi - lo; ++n) {
      const int64_t value = stmt.descending ? hi - 1 - n : lo + n;
      if (pollStop()) return Signal::Stopped;
      setVariable(stmt.var, value);
      deliverReady();
      const Signal signal = walk(step.body, repeated);
      if (signal == Signal::Left && left_ == stmt.var) break;
      if (signal != Signal::Done) return signal;
    }
    known(stmt.var).reset();
    return Signal::Done;
  }

  std::optional<int64_t>& known(VarId var) { return hostVariables_[static_cast<size_t>(var)]; }

  // No value: its loop is over. Launches take it with them; the frame gets it for graphs.
  void setVariable(VarId var, std::optional<int64_t> value) {
    known(var) = value;
    if (module_.frameSlot[static_cast<size_t>(var)] >= 0)
      (capturing_ ? inGraph_ : behind_).insert(var);
  }

  // Before a graph: what its kernels read of the loops around it.
  void bringFrame() {
    for (VarId var : behind_) {
      if (!known(var)) continue;
      int64_t value = *known(var);
      int slot = module_.frameSlot[static_cast<size_t>(var)];
      CUdeviceptr frame = frame_.at();
      void* arguments[] = {&frame, &slot, &value};
      check(api_.cuLaunchKernel(set_, 1, 1, 1, 1, 1, 1, 0, stream_, arguments, nullptr),
            "starting a kernel");
    }
    behind_.clear();
  }

  // A graph's launches are the same each time: they know of the loops inside of it alone.
  void giveLoops(const Kernel& kernel) {
    run_.given = 0;
    if (kernel.loops.size() > kMostGivenLoops) bringFrame();
    for (size_t k = 0; k < std::min(kernel.loops.size(), kMostGivenLoops); ++k) {
      const auto& value = known(kernel.loops[k]);
      if (!value || (capturing_ && inGraph_.count(kernel.loops[k]) == 0)) continue;
      run_.loops[k] = *value;
      run_.given |= uint64_t{1} << k;
    }
  }

  // How many blocks the kernel's launch has now; 0: it would do nothing.
  unsigned blocksOf(int number) const {
    const Kernel& kernel = module_.kernels[static_cast<size_t>(number)];
    for (const Expr& guard : kernel.guards)
      if (evaluate(guard, scope(false)).value_or(1) == 0) return 0;
    if (!kernel.lo) return 1;
    const int64_t trip = demand(kernel.hi) - demand(kernel.lo);
    return static_cast<unsigned>(
        std::max<int64_t>(1, (trip + kernel.perBlock - 1) / kernel.perBlock));
  }

  // Copies of tensors are not part of the kernel's time.
  void launch(int number, unsigned blocks, Stopwatch* stopwatch = nullptr) {
    const Kernel& kernel = module_.kernels[static_cast<size_t>(number)];
    if (kernel.reachesHost) settle();
    if (!kernel.transfers.empty()) copyIn(kernel);
    const unsigned most =
        kernel.blocksAtATime > 0 ? static_cast<unsigned>(kernel.blocksAtATime) : blocks;
    giveLoops(kernel);
    if (stopwatch != nullptr) stopwatch->start(stream_);
    for (unsigned first = 0; first < blocks; first += most) {
      run_.firstBlock = first;
      void* arguments[] = {&run_};
      check(api_.cuLaunchKernel(
                kernels_[static_cast<size_t>(number)], std::min(most, blocks - first), 1, 1,
                static_cast<unsigned>(kernel.threads), 1, 1, 0, stream_, arguments, nullptr),
            "starting the kernel " + kernel.name);
    }
    run_.firstBlock = 0;
    if (kernel.product)
      blas_->multiply(*kernel.product, frame_.at(static_cast<size_t>(kernel.product->slot) * 8));
    if (stopwatch != nullptr) stopwatch->stop(stream_);
    if (!kernel.transfers.empty()) swapping_->copyBack();
    if (kernel.reachesHost) settle();
  }

  void launchTimed(int number, unsigned blocks) {
    launch(number, blocks, stopwatch_.get());
    wait(stopwatch_->end());
    (*request_->regionSeconds)[static_cast<size_t>(number)] += stopwatch_->seconds();
    if (request_->deviceUse != nullptr)
      ++request_->deviceUse->launches[static_cast<size_t>(number)];
  }

  // The kernel addresses each copy as if it were all of its tensor.
  void copyIn(const Kernel& kernel) {
    std::vector<Swapping::Range> ranges;
    std::vector<int64_t> before;  // bytes of the tensor
    for (const Transfer& transfer : kernel.transfers) {
      const Buffer& buffer = program_.buffers[static_cast<size_t>(transfer.buffer)];
      const auto size = static_cast<int64_t>(byteSize(buffer.type));
      const int64_t first = demand(transfer.first);
      const int64_t lo = std::clamp<int64_t>(first, 0, buffer.elements),
                    hi = std::clamp<int64_t>(first + transfer.elements, lo, buffer.elements);
      before.push_back(lo * size);
      ranges.push_back({swapped_.data() + (buffer.offset - program_.residentBytes + lo * size),
                        static_cast<size_t>((hi - lo) * size), transfer.written});
    }
    const std::vector<CUdeviceptr> places = swapping_->copyIn(ranges);
    for (size_t k = 0; k < places.size(); ++k)
      run_.copies[k] = places[k] - static_cast<CUdeviceptr>(before[k]);
  }

  // ---- graphs -----------------------------------------------------------------------------------

  // A graph has the launches that take place now, by what the loops around it say. False where they
  // have to be started one by one.
  bool replay(const std::vector<Step>& steps, size_t first, size_t count) {
    launches_.clear();
    for (size_t k = first; k < first + count; ++k)
      forEachLaunch(
          steps[k], [&](VarId var, std::optional<int64_t> value) { known(var) = value; },
          [&](int kernel) { launches_.push_back(blocksOf(kernel)); });
    CUgraphExec graph = graphs_.find(steps[first], launches_);
    if (graph == nullptr) {
      if (graphs_.full(steps[first])) return false;
      graph = record(steps, first, count);
    }
    settle();
    bringFrame();
    check(api_.cuGraphLaunch(graph, stream_), "starting an iteration");
    return true;
  }

  CUgraphExec record(const std::vector<Step>& steps, size_t first, size_t count) {
    if (swapping_) swapping_->beginGraph();
    graphs_.begin();
    capturing_ = true;
    inGraph_.clear();
    auto blocks = launches_.begin();
    for (size_t k = first; k < first + count; ++k)
      forEachLaunch(
          steps[k], [&](VarId var, std::optional<int64_t> value) { setVariable(var, value); },
          [&](int kernel) {
            if (*blocks > 0) launch(kernel, *blocks);
            ++blocks;
          });
    capturing_ = false;
    if (swapping_) swapping_->endGraph();
    return graphs_.end(steps[first], launches_);
  }

  // ---- points of sinks --------------------------------------------------------------------------

  void emit(const loops::Stmt& stmt) {
    if (points_.full()) deliver();
    std::vector<int64_t> at;
    for (const Expr& arg : stmt.args) at.push_back(demand(arg));
    std::vector<ByteRange> ranges;
    if (request_->reads) ranges = request_->reads(stmt.sink, at);
    for (ByteRange& range : ranges) {
      range.offset = std::clamp<int64_t>(range.offset, 0, program_.arenaBytes);
      range.size = std::clamp<int64_t>(range.size, 0, program_.arenaBytes - range.offset);
    }
    points_.fetch(stmt.sink, std::move(at), std::move(ranges), fault_.at(),
                  [&](int64_t offset) { return place(offset); });
    deliverReady();
  }

  void deliverReady() {
    while (!points_.empty() && api_.cuEventQuery(points_.arrived()) == 0) deliver();
  }

  void deliverAll() {
    while (!points_.empty()) deliver();
  }

  void deliver() {
    wait(points_.arrived());
    const Point& point = points_.take();
    if (point.behindFault() || !request_->emit) return;
    // Kept apart: the callback may throw.
    struct Delivering {
      const Point*& slot;
      Delivering(const Point*& s, const Point* value) : slot(s) { slot = value; }
      ~Delivering() { slot = nullptr; }
    } const delivering(delivering_, &point);
    request_->emit(point.sink, point.at);
  }

  // ---- the end ----------------------------------------------------------------------------------

  Outcome outcome(bool stopped) {
    DeviceFault fault;
    fetch(&fault, fault_.at(), sizeof fault);
    Outcome result;
    if (fault.state != 0) {
      result.kind = Outcome::Kind::Fault;
      result.fault = fault.number;
      result.coordinates.assign(fault.coordinates,
                                fault.coordinates + std::clamp(fault.count, 0, 32));
    } else if (stopped) {
      result.kind = Outcome::Kind::Stopped;
    }
    if (request_->progress != nullptr) {
      request_->progress->root = fault.root;
      request_->progress->iteration.reset();
      if (fault.iteration != INT64_MIN) request_->progress->iteration = fault.iteration;
    }
    return result;
  }

  const Device& device_;
  const Cuda& api_;
  const loops::Program& program_;
  const Module& module_;
  const std::vector<CUfunction>& kernels_;
  CUfunction set_;
  DeviceBytes arena_;
  PinnedBytes swapped_;  // the arena's end, where not all of it is on the device
  DeviceBytes scratch_, frame_, parameters_, fault_;
  PinnedBytes stop_;
  DeviceStream stream_;
  DeviceEvent done_;
  Graphs graphs_;
  Points points_;
  std::unique_ptr<Blas> blas_;            // where there are products for it
  std::unique_ptr<Swapping> swapping_;    // where kernels have copies of what the host has
  std::unique_ptr<Stopwatch> stopwatch_;  // where kernels are timed one by one
  DeviceRun run_;
  const runtime::RunRequest* request_ = nullptr;
  std::vector<std::optional<int64_t>> hostVariables_;  // by VarId: loops that are running
  std::set<VarId> behind_;                             // loops whose values the frame has not got
  std::set<VarId> inGraph_;                            // loops inside of what is being recorded
  std::vector<unsigned> launches_;
  const Point* delivering_ = nullptr;
  mutable std::vector<std::byte> fetched_;
  mutable bool stopped_ = false;
  bool capturing_ = false;
  VarId left_ = -1;
};

}  // namespace

std::unique_ptr<runtime::Execution> makeExecution(const Device& device, const Module& module,
                                                  const std::vector<CUfunction>& kernels,
                                                  CUfunction set, MatmulPrecision precision) {
  return std::make_unique<GpuExecution>(device, module, kernels, set, precision);
}

}  // namespace rlc::gpu
