// rlc bench passes: what the graph's passes, windows and memory limits are worth, on programs of
// benchmarks/workloads. A whole run writes the tables of docs/passes.md.
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "compiler/loops/printer.h"
#include "compiler/passes/pipeline.h"
#include "jit/native/native_program.h"
#include "tools/bench.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

constexpr int kPairs = 9;  // of runs that are compared

class Nothing : public runtime::SinkOutput {
 public:
  void show(const runtime::SinkInfo&, int, const std::vector<std::pair<std::string, int64_t>>&,
            const runtime::ShownValue& value) override {
    const auto* tensor = std::get_if<DenseTensor>(&value.node);
    if (tensor && !tensor->elements.empty()) shown.push_back(tensor->elements.front());
  }
  std::vector<Scalar> shown;
};

struct Measured {
  double seconds = 0;
  int64_t planned = 0, touched = 0, arena = 0;
  std::vector<Scalar> shown;
};

// Of all threads: what other programs on the machine do matters little.
double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The median of `repeats` runs, behind one that warms up.
double costOf(int repeats, const std::function<void()>& body) {
  std::vector<double> costs;
  for (int k = 0; k <= repeats; ++k) {
    const double start = processorSeconds();
    body();
    if (k > 0) costs.push_back(processorSeconds() - start);
  }
  std::sort(costs.begin(), costs.end());
  return median(costs);
}

std::unique_ptr<LoadedProgram> loaded(const BenchSettings& settings, const std::string& program,
                                      const std::vector<std::string>& params) {
  ProgramOptions options;
  options.file = program.starts_with("/") ? program : settings.folder + "/" + program;
  options.library = settings.stdlib;
  options.assignments = params;
  auto result = loadProgram(options);
  if (result->program) return result;
  showDiagnostics(*result);
  throw UsageError("the workload `" + options.file + "` is wrong");
}

std::unique_ptr<native::NativeProgram> compiled(const BenchSettings& settings,
                                                const LoadedProgram& source,
                                                const std::vector<std::string>& disabled,
                                                int64_t limit = 0) {
  pdg::Graph graph = source.program->graph;
  passes::PassOptions options;
  options.disabled = disabled;
  passes::runPasses(graph, options);
  return std::make_unique<native::NativeProgram>(graph, cpu::CompileOptions(),
                                                 native::MemoryLimit{limit, settings.threads});
}

Measured measured(const BenchSettings& settings, const std::string& program,
                  const std::vector<std::string>& params, const std::vector<std::string>& disabled,
                  int64_t limit = 0) {
  const auto source = loaded(settings, program, params);
  const auto owned = compiled(settings, *source, disabled, limit);
  const native::NativeProgram& native = *owned;
  native::RunOptions run;
  run.threads = settings.threads;
  run.countPages = true;
  Measured result;
  result.seconds = costOf(settings.repeats, [&] {
    Nothing output;
    result.touched = native.run(output, {}, run).touchedBytes;
    result.shown = std::move(output.shown);
  });
  result.planned = native.plannedBytes(settings.threads);
  result.arena = native.lowered().program.residentBytes;
  return result;
}

std::string mib(int64_t bytes) {
  return digits(static_cast<double>(bytes) / 1048576.0, 3) + " MiB";
}
std::string ms(double seconds) { return digits(seconds * 1e3, 3) + " ms"; }

void benchReturn(const BenchSettings& settings, std::ostream& out) {
  BenchTable table(
      out, settings, "A discounted return over T steps",
      {"simplify-reductions", "environments", "T", "time at T", "time at 2T", "ratio"});
  struct Row {
    const char* name;
    int64_t envs;  // so many that a run's start does not count
    int64_t steps;
    std::vector<std::string> disabled;
  };
  BenchSettings often = settings;  // runs of tenths of a second
  often.repeats *= 4;
  for (const Row& row :
       {Row{"on", 2048, 100000, {}}, Row{"off", 64, 4000, {"simplify-reductions"}}}) {
    if (!wanted(settings, "return")) continue;
    const auto time = [&](int64_t steps) {
      return measured(often, "discounted_return.rl",
                      {"T=" + std::to_string(steps), "envs=" + std::to_string(row.envs)},
                      row.disabled)
          .seconds;
    };
    const double once = time(row.steps), twice = time(2 * row.steps);
    table.row({row.name, std::to_string(row.envs), std::to_string(row.steps), ms(once), ms(twice),
               digits(twice / once, 3)},
              {{"ratio", twice / once}});
  }
}

void runOnce(const BenchSettings& settings, const native::NativeProgram& program) {
  native::RunOptions run;
  run.threads = settings.threads;
  Nothing output;
  program.run(output, {}, run);
}

// What the second costs, and its ratios to the first: the median, and what the middle half lies
// between.
struct Compared {
  double seconds = 0, ratio = 1, lower = 1, upper = 1;
};

Compared inTurn(const BenchSettings& settings, const native::NativeProgram& first,
                const native::NativeProgram& second) {
  std::vector<double> costs, ratios;
  for (int k = 0; k <= kPairs; ++k) {
    const double begin = processorSeconds();
    runOnce(settings, first);
    const double middle = processorSeconds();
    runOnce(settings, second);
    const double end = processorSeconds();
    if (k == 0) continue;  // warms up
    costs.push_back(end - middle);
    ratios.push_back((end - middle) / (middle - begin));
  }
  std::sort(costs.begin(), costs.end());
  std::sort(ratios.begin(), ratios.end());
  return {median(costs), median(ratios), ratios[ratios.size() / 4],
          ratios[ratios.size() - 1 - ratios.size() / 4]};
}

void benchEachPass(const BenchSettings& settings, std::ostream& out) {
  if (!wanted(settings, "ppo-trivial")) return;
  BenchTable table(
      out, settings, "PPO on an environment that costs nothing (W1), each pass off in turn",
      {"off", "time", "against all passes", "middle half", "memory", "of that, arena"});
  const auto source = loaded(settings, "ppo_trivial.rl", {});
  const auto all = compiled(settings, *source, {});
  const std::string code = loops::print(all->lowered().program);
  const auto row = [&](const std::string& name, const native::NativeProgram& program,
                       const Compared& cost, bool sameCode) {
    table.row(
        {name, ms(cost.seconds), sameCode ? "the same code" : digits(cost.ratio, 3),
         sameCode ? "" : digits(cost.lower, 3) + " to " + digits(cost.upper, 3),
         mib(program.plannedBytes(settings.threads)), mib(program.lowered().program.residentBytes)},
        {{"seconds", cost.seconds}, {"ratio", cost.ratio}});
  };
  const Compared base{costOf(settings.repeats, [&] { runOnce(settings, *all); })};
  row("none", *all, base, false);
  for (const std::string& pass : passes::passNames()) {
    const auto without = compiled(settings, *source, {pass});
    // A pass that leaves the same loops has the same cost; the others run in turn with all of them,
    // as the machine's speed drifts.
    const bool sameCode = loops::print(without->lowered().program) == code;
    row(pass, *without, sameCode ? base : inTurn(settings, *all, *without), sameCode);
  }
}

void benchWindows(const BenchSettings& settings, std::ostream& out) {
  if (!wanted(settings, "reinforce")) return;
  BenchTable table(
      out, settings, "REINFORCE (W3): memory by the return and the length of an episode",
      {"return", "steps", "planned peak", "of that, arena", "arena used", "processor time"});
  for (const std::string n : {"5", "50", "all"})
    for (int steps : {500, 1000, 2000}) {
      std::vector<std::string> params{"iterations=2", "steps=" + std::to_string(steps)};
      if (n != "all") params.push_back("n=" + n);
      const Measured m = measured(settings, "reinforce.rl", params, {});
      table.row(
          {n == "all" ? "Monte Carlo" : n + " steps", std::to_string(steps), mib(m.planned),
           std::to_string(m.arena) + " bytes", std::to_string(m.touched) + " bytes", ms(m.seconds)},
          {{"planned", static_cast<double>(m.planned)}});
    }
}

bool same(const std::vector<Scalar>& a, const std::vector<Scalar>& b) {
  if (a.size() != b.size()) return false;
  for (size_t k = 0; k < a.size(); ++k)
    if (a[k].type != b[k].type || a[k].i != b[k].i || !(a[k].f == b[k].f)) return false;
  return true;
}

void benchLimits(const BenchSettings& settings, std::ostream& out) {
  if (!wanted(settings, "memory limit")) return;
  BenchTable table(
      out, settings, "PPO with large observations (W2) in an eighth of the memory",
      {"observation", "memory", "limit", "in memory", "time", "in an eighth", "ratio", "results"});
  BenchSettings once = settings;  // runs of seconds
  once.repeats = 1;
  for (const auto& [name, pixels] : {std::pair{"3x8x8", 192}, {"3x16x16", 768}}) {
    const std::vector<std::string> params{"iterations=2", "envs=256", "steps=1000",
                                          "pixels=" + std::to_string(pixels)};
    const Measured free = measured(once, "ppo_trivial.rl", params, {});
    const int64_t limit = free.planned / 8;
    const Measured tight = measured(once, "ppo_trivial.rl", params, {}, limit);
    table.row({name, mib(free.planned), mib(limit), mib(tight.planned), ms(free.seconds),
               ms(tight.seconds), digits(tight.seconds / free.seconds, 3),
               same(free.shown, tight.shown) ? "the same bits" : "different"},
              {{"ratio", tight.seconds / free.seconds}});
  }
}

// n equations that depend on each other.
std::string chain(int n) {
  std::string text = "index t in 0..100\nx0[0] = 1.0\nx0[t+1] = 0.5 * x0[t]\n";
  for (int k = 1; k < n; ++k) {
    const std::string own = "x" + std::to_string(k), before = "x" + std::to_string(k - 1);
    text += own + "[t] = tanh(" + before + "[t] * 0.5) + 0.25 * sum(" + before +
            "[k] for k in t..min(t + 3, 100))\n";
  }
  return text + "report \"last\" = mean(x" + std::to_string(n - 1) + " for t)\n";
}

void benchCompile(const BenchSettings& settings, std::ostream& out) {
  if (!wanted(settings, "compile")) return;
  BenchTable table(out, settings,
                   "Compile time, from text to native code, without the object cache",
                   {"program", "nodes", "time", "a node"});
  const auto row = [&](const std::string& name, const std::string& program,
                       const std::vector<std::string>& params) {
    int nodes = 0;
    const double seconds = costOf(1, [&] {
      const auto source = loaded(settings, program, params);
      pdg::Graph graph = source->program->graph;
      passes::runPasses(graph, {});
      nodes = graph.size();
      cpu::CompileOptions options;
      options.cache = false;
      native::NativeProgram native(graph, options);
    });
    table.row({name, std::to_string(nodes), digits(seconds, 3) + " s",
               digits(seconds / nodes * 1e3, 3) + " ms"},
              {{"seconds", seconds}});
  };
  const std::string path =
      (std::filesystem::temp_directory_path() / ("rlc-bench-" + std::to_string(getpid()) + ".rl"))
          .string();
  for (int n : {250, 500, 1000}) {
    std::ofstream(path) << chain(n);
    row(std::to_string(n) + " equations", path, {});
  }
  std::filesystem::remove(path);
  for (int layers : {1, 4, 16, 64})
    row("PPO, " + std::to_string(layers) + (layers == 1 ? " layer" : " layers"), "ppo_trivial.rl",
        {"layers=" + std::to_string(layers)});
}

// What comes behind this line of docs/passes.md is measured.
constexpr std::string_view kMeasured = "<!-- written by rlc bench passes -->\n";

void rewritePage(const BenchSettings& settings, const std::string& tables) {
  const auto page =
      std::filesystem::path(settings.folder).parent_path().parent_path() / "docs" / "passes.md";
  std::ifstream in(page);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const size_t begin = text.find(kMeasured);
  if (begin == std::string::npos) return;  // workloads of somebody else
  std::ofstream(page) << text.substr(0, begin + kMeasured.size()) << tables;
}

std::string howTaken(const BenchSettings& settings) {
  char date[40] = "";
  const time_t now = time(nullptr);
  strftime(date, sizeof date, "%d %B %Y", gmtime(&now));
  return "\nTimes are processor seconds of all threads together, medians of " +
         std::to_string(settings.repeats) +
         " runs behind one that warms up (of the returns, four times as many; of each pass, " +
         std::to_string(kPairs) +
         " in turn with all passes on; of large observations and compile time one run), taken on " +
         date + " on a machine of " + std::to_string(std::thread::hardware_concurrency()) +
         " cores, with " + std::to_string(settings.threads) +
         " threads. Sizes are exact; what a run used of its arena is counted in pages.\n";
}

// Writes to two streams.
class Tee : public std::streambuf {
 public:
  explicit Tee(std::ostream& out) : out_(out) {}
  std::string text;

 private:
  int overflow(int c) override {
    if (c != traits_type::eof()) {
      text += static_cast<char>(c);
      out_.put(static_cast<char>(c));
    }
    return c;
  }
  int sync() override {
    out_.flush();
    return 0;
  }
  std::ostream& out_;
};

}  // namespace

void benchPasses(const BenchSettings& settings, std::ostream& out) {
  Tee tee(out);
  std::ostream both(&tee);
  benchReturn(settings, both);
  benchEachPass(settings, both);
  benchWindows(settings, both);
  benchLimits(settings, both);
  benchCompile(settings, both);
  if (settings.json || !settings.filter.empty()) return;
  both << howTaken(settings);
  rewritePage(settings, tee.text);
}

}  // namespace rlc::tools
