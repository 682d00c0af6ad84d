// rlc profile FILE: where the time of a run goes, and how far from the machine's limits each part
// is: regions on a processor, kernels on a GPU.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include "compiler/diagnostics/render.h"
#include "compiler/loops/regions.h"
#include "compiler/loops/work.h"
#include "jit/gpu/machine.h"
#include "jit/native/native_program.h"
#include "jit/runtime/fault.h"
#include "tools/bench.h"
#include "tools/commands.h"
#include "tools/interrupt.h"
#include "tools/native_device.h"
#include "tools/program.h"
#include "tools/silence.h"
#include "tools/terminal.h"

namespace rlc::tools {

namespace {

struct ProfileOptions {
  ProgramOptions program;
  RunSettings settings;
  bool json = false, perf = false;
};

const char* const kProfileExamples = R"(examples:
  rlc profile ppo.rl                             a table of the parts of a run
  rlc profile ppo.rl iterations=5 --threads 1    fewer iterations, one thread
  rlc profile ppo.rl --device gpu                its kernels, one at a time
  perf record rlc profile ppo.rl --perf          samples with the names of compiled functions)";

constexpr size_t kMostLines = 4;
constexpr double kLeastShare = 1e-3;  // of the run; smaller regions share a row

// What a loop runs over, as the schedule calls it.
std::string nameOf(const loops::Stmt& region) {
  if (!region.comment.empty()) return region.comment;
  for (const loops::StmtPtr& inner : region.body)
    if (const std::string name = nameOf(*inner); !name.empty()) return name;
  if (region.kind != loops::Stmt::Kind::Call) return "elements";
  switch (region.function) {
    case loops::Stmt::Function::Sort:
    case loops::Stmt::Function::ArgSort:
      return "a sort";
    case loops::Stmt::Function::Permutation:
      return "a permutation";
    case loops::Stmt::Function::TreeUpdate:
      return "an update of a sum tree";
    case loops::Stmt::Function::Product:
      return "a matrix product";
    case loops::Stmt::Function::Prefetch:
      break;
  }
  return "a call";
}

using Lines = std::map<std::pair<std::string, int>, double>;  // what a line asks for

void addLines(const loops::WorkCount& count, const loops::Stmt& stmt,
              const diagnostics::SourceMap& sources, Lines& lines) {
  for (const loops::Block* block : {&stmt.body, &stmt.otherwise})
    for (const loops::StmtPtr& inner : *block) addLines(count, *inner, sources, lines);
  if (!stmt.span.known() || !stmt.body.empty() || !stmt.otherwise.empty()) return;
  const loops::Work work = count.of(stmt);
  const std::string& path = sources.path(stmt.span.file);
  lines[{path.substr(path.find_last_of('/') + 1), sources.begin(stmt.span).line}] +=
      work.flops + work.loadBytes + work.storeBytes;
}

// What is timed: a loop on a processor, a kernel on a GPU.
struct Part {
  std::string name, lines;
  loops::Work work;
  double peakFlops = 0;   // in a second; 0: not known
  std::string limit;      // of its arithmetic, where that is not FMA of f32
  int64_t launches = -1;  // of a kernel
};

// The lines that ask for most, in their order: "ppo.rl:12, 15, nn.rl:30".
std::string linesOf(const loops::WorkCount& count, const std::vector<const loops::Stmt*>& stmts,
                    const diagnostics::SourceMap& sources) {
  Lines lines;
  for (const loops::Stmt* stmt : stmts) addLines(count, *stmt, sources, lines);
  std::vector<double> weights;
  for (const auto& [line, weight] : lines) weights.push_back(weight);
  std::sort(weights.rbegin(), weights.rend());
  const double least = weights.size() > kMostLines ? weights[kMostLines - 1] : 0.0;
  std::string text, file;
  size_t shown = 0;
  for (const auto& [line, weight] : lines) {
    if (weight < least || shown == kMostLines) continue;
    text += (shown++ > 0 ? ", " : "") + (line.first == file ? "" : line.first + ":") +
            std::to_string(line.second);
    file = line.first;
  }
  return text + (lines.size() > shown ? ", ..." : "");
}

// `what` they are is the heading of the first column.
void showParts(const std::string& what, const std::vector<Part>& parts,
               const std::vector<double>& seconds, double total, double peakBytes,
               const ProfileOptions& options) {
  BenchSettings settings;
  settings.json = options.json;
  std::vector<std::string> columns = {what,
                                      "lines",
                                      "time",
                                      "of the run",
                                      "arithmetic",
                                      "of the FMA peak",
                                      "loads and stores",
                                      "of the memory's rate"};
  const bool launched = !parts.empty() && parts.front().launches >= 0;
  if (launched) columns.push_back("launches");
  BenchTable table(std::cout, settings,
                   options.program.file + ": " + digits(total * 1e3, 3) + " ms", columns);
  std::vector<size_t> order;
  double inside = 0;
  for (size_t k = 0; k < std::min(parts.size(), seconds.size()); ++k) {
    if (seconds[k] > 0) order.push_back(k);
    inside += seconds[k];
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return seconds[a] > seconds[b]; });
  double small = 0;
  int smaller = 0;
  for (size_t k : order) {
    if (!options.json && seconds[k] < kLeastShare * total) {
      small += seconds[k];
      ++smaller;
      continue;
    }
    const loops::Work& work = parts[k].work;
    const double flops = work.flops / seconds[k],
                 bytes = (work.loadBytes + work.storeBytes) / seconds[k];
    std::vector<std::string> cells = {parts[k].name,
                                      parts[k].lines,
                                      digits(seconds[k] * 1e3, 3) + " ms",
                                      digits(100 * seconds[k] / total, 2) + " %",
                                      sureness(work) + withPrefix(flops) + "FLOP/s",
                                      shareOf(flops, parts[k].peakFlops) + parts[k].limit,
                                      withPrefix(bytes) + "B/s",
                                      shareOfMemory(bytes, peakBytes)};
    std::vector<std::pair<std::string, double>> numbers = {
        {"seconds", seconds[k]},
        {"flops", work.flops},
        {"bytes", work.loadBytes + work.storeBytes}};
    if (launched) {
      cells.push_back(std::to_string(parts[k].launches));
      numbers.emplace_back("launched", parts[k].launches);
    }
    table.row(cells, numbers);
  }
  const auto timeOnly = [&](const std::string& name, double time) {
    std::vector<std::string> cells(columns.size());
    cells[0] = name;
    cells[2] = digits(time * 1e3, 3) + " ms";
    cells[3] = digits(100 * time / total, 2) + " %";
    table.row(cells, {{"seconds", time}});
  };
  if (smaller > 0) timeOnly(std::to_string(smaller) + " smaller ones", small);
  timeOnly("between them", total - inside);
}

// Those that threads take side by side are told together.
std::vector<Part> regionsOf(const native::NativeProgram& native, const cpu::CompileOptions& options,
                            const diagnostics::SourceMap& sources, const MachinePeaks& peaks) {
  const loops::Program& program = native.lowered().program;
  const loops::WorkCount count(program);
  const std::vector<const loops::Stmt*> regions = loops::regionsOf(program);
  const std::vector<cpu::RegionCode> code = cpu::codeOfRegions(program, options);
  std::vector<Part> parts(regions.size());
  std::vector<bool> pairs(regions.size());
  std::vector<std::vector<const loops::Stmt*>> together(regions.size());
  for (size_t k = 0; k < regions.size(); ++k) {
    const auto with = static_cast<size_t>(code[k].timedWith);
    together[with].push_back(regions[k]);
    pairs[with] = pairs[with] || code[k].pairs;
    parts[with].work += count.of(*regions[k]);
  }
  for (size_t k = 0; k < regions.size(); ++k) {
    parts[k].name = nameOf(*regions[k]);
    if (together[k].size() > 1)
      parts[k].name += " beside " + std::to_string(together[k].size() - 1) + " others";
    parts[k].lines = linesOf(count, together[k], sources);
    parts[k].peakFlops = pairs[k] ? peaks.pairFlops : peaks.flops;
    if (pairs[k]) parts[k].limit = kOfPairs;
  }
  return parts;
}

// `launches`: of each kernel.
std::vector<Part> kernelsOf(const gpu::KernelsFacts& facts, const std::vector<int64_t>& launches,
                            const diagnostics::SourceMap& sources) {
  const loops::WorkCount count(*facts.program);
  std::vector<Part> parts;
  for (size_t k = 0; k < facts.kernels.size(); ++k) {
    const gpu::KernelFacts& kernel = facts.kernels[k];
    Part part;
    part.name = kernel.name + ", " + std::to_string(kernel.registers) + " registers";
    part.lines = linesOf(count, kernel.parts, sources);
    part.peakFlops = facts.peakFlops;
    part.launches = launches.at(k);
    for (const loops::Stmt* stmt : kernel.parts) part.work += count.of(*stmt);
    part.work += kernel.launchWork.times(static_cast<double>(part.launches));
    if (kernel.tensorCores) {
      const bool half = *kernel.tensorCores == DType::F32;
      part.peakFlops = facts.peakTensorFlops / (half ? 2 : 1);
      part.limit = half ? " (tensor cores, tf32)" : " (tensor cores, bf16)";
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

void showMemory(const runtime::DeviceUse& use, bool json) {
  if (json)
    std::cout << "{\"planned bytes\": " << use.plannedBytes
              << ", \"taken bytes\": " << use.takenBytes << "}\n";
  else
    std::cout << "\nthe device's memory: " << withPrefix(static_cast<double>(use.plannedBytes))
              << "B planned, " << withPrefix(static_cast<double>(use.takenBytes))
              << "B less are free (the kernels' code among them, and what other programs took)\n";
}

int profile(const ProfileOptions& options) {
  const std::string name = options.settings.deviceName();
  const bool onGpu = name == "gpu";
  if (name == "interp")
    throw UsageError("rlc profile measures compiled programs: --device cpu or gpu");
  if (onGpu && options.perf)
    throw UsageError("--perf names functions of the processor: without --device gpu");
  const DeviceOptions device = options.settings.deviceOptions();
  const auto loaded = loadProgram(options.program);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;
  const pdg::Graph graph = optimized(loaded->program->graph, device);
  cpu::CompileOptions compile = cpuOptions(device);
  compile.timeRegions = true;
  compile.perfMap = options.perf;
  const int threads = threadsOf(device);
  const native::MachineMaker make{
      [&](const loops::Program& program) -> std::unique_ptr<native::Machine> {
        if (onGpu) return gpu::makeMachine(program, gpuOptions(device));
        return std::make_unique<native::CpuMachine>(program, compile);
      },
      onGpu ? schedule::LaneKind::Threads : schedule::LaneKind::Vectors};
  const auto compiled = fitting(device.memoryLimit, [&] {
    return std::make_unique<native::NativeProgram>(
        make, graph, native::MemoryLimit{device.memoryLimit, threads});
  });
  const native::NativeProgram& native = *compiled;
  if (options.perf)
    std::cerr << "rlc: the functions' names are in /tmp/perf-" << getpid() << ".map\n";

  catchInterrupts();
  runtime::RunControl control;
  control.stop = interrupted;
  native::RunOptions run;
  run.seed = device.seed;
  run.threads = threads;
  run.findNan = false;
  std::vector<double> seconds;
  run.regionSeconds = &seconds;
  runtime::DeviceUse use;
  run.deviceUse = &use;
  Silence output;
  const auto start = std::chrono::steady_clock::now();
  try {
    native.run(output, control, run);
  } catch (const runtime::RuntimeFault& fault) {
    std::cerr << diagnostics::render(fault.diagnostic(), loaded->sources,
                                     {stderrHasColor(), terminalWidth()});
    return kFault;
  }
  const double total =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (onGpu) {
    const gpu::KernelsFacts facts = gpu::kernelsOf(native.machine());
    showParts("kernel", kernelsOf(facts, use.launches, loaded->sources), seconds, total,
              facts.peakBytes, options);
    showMemory(use, options.json);
  } else {
    const MachinePeaks& peaks = machinePeaks(threads);
    showParts("region", regionsOf(native, compile, loaded->sources, peaks), seconds, total,
              peaks.bytes, options);
  }
  return kOk;
}

}  // namespace

void addProfileCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command = app.add_subcommand("profile", "run a program and tell where its time goes");
  addProgramOptions(*command, options->program, true);
  addRunSettings(*command, options->settings);
  command->add_flag("--json", options->json, "as JSON, an object a region");
  command->add_flag("--perf", options->perf,
                    "write the names of compiled functions for `perf`: /tmp/perf-PID.map");
  command->footer(kProfileExamples);
  command->callback([options, &status] { status = profile(*options); });
}

}  // namespace rlc::tools
