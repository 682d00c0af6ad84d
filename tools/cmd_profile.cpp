// rlc profile FILE: where the time of a run goes, and how far from the machine's limits each part
// is.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "compiler/diagnostics/render.h"
#include "compiler/loops/regions.h"
#include "compiler/loops/work.h"
#include "compiler/passes/pipeline.h"
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

// Loads and stores are counted whoever serves them: more than the memory's rate comes from caches.
std::string shareOfMemory(double share) {
  return share > 1 ? "in caches" : digits(100 * share, 2) + " %";
}

struct ProfileOptions {
  ProgramOptions program;
  RunSettings settings;
  bool json = false, perf = false;
};

const char* const kExamples = R"(examples:
  rlc profile ppo.rl                             a table of the parts of a run
  rlc profile ppo.rl iterations=5 --threads 1    fewer iterations, one thread
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

// The lines that ask for most, in their order: "ppo.rl:12, 15, nn.rl:30".
std::string linesOf(const loops::WorkCount& count, const loops::Stmt& region,
                    const diagnostics::SourceMap& sources) {
  Lines lines;
  addLines(count, region, sources, lines);
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

void showRegions(const native::NativeProgram& native, const std::vector<double>& seconds,
                 double total, const LoadedProgram& loaded, const ProfileOptions& options,
                 int threads) {
  const loops::Program& program = native.lowered().program;
  const std::vector<const loops::Stmt*> regions = loops::regionsOf(program);
  const loops::WorkCount count(program);
  const MachinePeaks& peaks = machinePeaks(threads);
  BenchSettings settings;
  settings.json = options.json;
  BenchTable table(std::cout, settings,
                   options.program.file + ": " + digits(total * 1e3, 3) + " ms",
                   {"region", "lines", "time", "of the run", "arithmetic", "of the FMA peak",
                    "loads and stores", "of the memory's rate"});
  std::vector<size_t> order;
  double inside = 0;
  for (size_t k = 0; k < std::min(regions.size(), seconds.size()); ++k) {
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
    const loops::Work work = count.of(*regions[k]);
    const double flops = work.flops / seconds[k],
                 bytes = (work.loadBytes + work.storeBytes) / seconds[k];
    table.row(
        {nameOf(*regions[k]), linesOf(count, *regions[k], loaded.sources),
         digits(seconds[k] * 1e3, 3) + " ms", digits(100 * seconds[k] / total, 2) + " %",
         sureness(work) + withPrefix(flops) + "FLOP/s", digits(100 * flops / peaks.flops, 2) + " %",
         withPrefix(bytes) + "B/s", shareOfMemory(bytes / peaks.bytes)},
        {{"seconds", seconds[k]},
         {"flops", work.flops},
         {"bytes", work.loadBytes + work.storeBytes}});
  }
  const auto timeOnly = [&](const std::string& name, double time) {
    table.row({name, "", digits(time * 1e3, 3) + " ms", digits(100 * time / total, 2) + " %", "",
               "", "", ""},
              {{"seconds", time}});
  };
  if (smaller > 0) timeOnly(std::to_string(smaller) + " smaller ones", small);
  timeOnly("between them", total - inside);
}

int profile(const ProfileOptions& options) {
  if (const std::string device = options.settings.deviceName(); device != "cpu" && device != "auto")
    throw UsageError(
        "rlc profile measures the processor only; on a GPU its maker's profiler tells kernels "
        "apart");
  const DeviceOptions device = options.settings.deviceOptions();
  const auto loaded = loadProgram(options.program);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;
  pdg::Graph graph = loaded->program->graph;
  passes::PassOptions passOptions;
  passOptions.disabled = device.disabledPasses;
  passes::runPasses(graph, passOptions);
  cpu::CompileOptions compile;
  compile.vectorWidth = device.vectorWidth;
  compile.timeRegions = true;
  compile.perfMap = options.perf;
  const int threads = threadsOf(device);
  const native::NativeProgram native(graph, compile, {device.memoryLimit, threads});
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
  showRegions(native, seconds, total, *loaded, options, threads);
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
  command->footer(kExamples);
  command->callback([options, &status] { status = profile(*options); });
}

}  // namespace rlc::tools
