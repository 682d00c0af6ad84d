// rlc bench learning: trains what benchmarks/learning.json lists.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "jit/runtime/fault.h"
#include "jit/runtime/machine.h"
#include "tools/bench.h"
#include "tools/device.h"
#include "tools/interrupt.h"
#include "tools/learning/page.h"
#include "tools/program.h"
#include "tools/repl/gnuplot.h"
#include "tools/replace_file.h"

namespace rlc::tools {

namespace {

namespace fs = std::filesystem;

struct Places {
  explicit Places(const BenchSettings& settings)
      : root(fs::path(settings.folder).parent_path().parent_path()) {}
  fs::path root;
  fs::path list() const { return root / "benchmarks" / "learning.json"; }
  fs::path page() const { return root / "docs" / "learning.md"; }
  fs::path kept(const LearningRow& row, const char* ending) const {
    return root / "docs" / "learning" / (row.name + ending);
  }
};

// Ctrl-C: what was being measured is not kept.
struct Interrupted {};

struct Training {
  std::vector<std::string> set;
  std::string seeds;  // lo..hi: a population; empty: one run with seed 1
};

std::string commandOf(const LearningRow& row, const std::vector<std::string>& set) {
  std::string command = "rlc run examples/" + row.program;
  for (const std::string& assignment : set) command += " " + assignment;
  return command;
}

LearningResults train(const BenchSettings& settings, const Places& places, const LearningRow& row,
                      const Training& training) {
  ProgramOptions options;
  options.file = (places.root / "examples" / row.program).string();
  options.assignments = training.set;
  options.library = settings.stdlib;
  options.seeds = training.seeds;
  LearningResults results;
  results.command = commandOf(row, training.set) +
                    (training.seeds.empty() ? " --seed 1" : " --seeds " + training.seeds) +
                    " --threads " + std::to_string(settings.threads);
  if (settings.device != "cpu") results.command += " --device " + settings.device;

  const auto start = std::chrono::steady_clock::now();
  const auto loaded = loadProgram(options);
  if (!loaded->program) {
    showDiagnostics(*loaded);
    throw UsageError("the example `" + options.file + "` is wrong");
  }
  DeviceOptions device;
  device.threads = settings.threads;
  device.seed = training.seeds.empty() ? 1 : 0;
  device.findNan = false;
  LearningReports reports(row.metric);
  runtime::RunControl control;
  control.stop = interrupted;
  const RunSummary run =
      makeDevice(settings.device, loaded->program->graph, device)->run(reports, control);
  if (run.end == runtime::RunEnd::Stopped) throw Interrupted();
  results.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  results.seeds = reports.seeds();
  results.evaluations = reports.evaluations();
  if (results.seeds.empty())
    throw UsageError("`" + options.file + "` reports no `" + row.metric + "`");
  return results;
}

bool trainInShort(const BenchSettings& settings, const Places& places, const LearningRow& row,
                  std::ostream& out) {
  std::string problem;
  double reached = 0;
  try {
    LearningResults results = train(settings, places, row, {row.shortSet, ""});
    if (row.shortWhileLearning) results.evaluations.clear();
    reached = mean(results.finals());
  } catch (const runtime::RuntimeFault& fault) {
    problem = fault.message();
  }
  const bool learned = problem.empty() && row.shortAccept.holds(reached);
  out << (learned ? "ok     " : "FAILED ") << row.name << ": ";
  if (problem.empty())
    out << digits(reached, 4) << ", accepted " << row.shortAccept.text() << std::endl;
  else
    out << problem << std::endl;
  return learned;
}

std::optional<LearningResults> kept(const fs::path& path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  try {
    return readResults(in);
  } catch (const std::exception& error) {
    throw UsageError("`" + path.string() +
                     "` is not what rlc bench learning keeps: " + error.what());
  }
}

void keep(const fs::path& path, const LearningResults& results) {
  fs::create_directories(path.parent_path());
  std::ostringstream text;
  writeResults(text, results);
  if (!replaceFile(path, text.str())) throw UsageError("can't write `" + path.string() + "`");
}

void draw(const LearningRow& row, const LearningResults& results, const fs::path& path) {
  const std::string problem = plotLearning(row, results, path.string());
  if (!problem.empty()) throw UsageError("the curves of " + row.name + ": " + problem);
}

// What is kept of a row to which seeds are to be added: that of seeds 0, 1, ... with the same
// settings.
std::optional<LearningResults> begun(const fs::path& path, const LearningRow& row) {
  auto results = kept(path);
  const std::string seeds = row.population ? " --seed 1" : " --seeds 0..";
  if (results && (results->command.rfind(commandOf(row, row.set) + seeds, 0) != 0 ||
                  results->seeds.rbegin()->first + 1 != std::ssize(results->seeds)))
    throw UsageError("`" + path.string() + "` is not of seeds 0, 1, ... of `" +
                     commandOf(row, row.set) + "`; without --add it is measured anew");
  return results;
}

// As many seeds in a run as the memory allows. Each part is kept as soon as it is there: an
// interrupted run goes on with --add.
void measure(const BenchSettings& settings, const Places& places, const LearningRow& row,
             std::ostream& out) {
  const fs::path path = places.kept(row, ".csv");
  std::optional<LearningResults> known;
  if (settings.add) known = begun(path, row);
  const int count = row.population ? 0 : settings.seeds;
  if (row.population && !known) {
    known = train(settings, places, row, {row.set, ""});
    keep(path, *known);
  }
  int together = settings.together;
  for (int lo = known ? static_cast<int>(std::ssize(known->seeds)) : 0; lo < count;) {
    const int hi = std::min(count, lo + together);
    try {
      LearningResults part =
          train(settings, places, row, {row.set, std::to_string(lo) + ".." + std::to_string(hi)});
      if (known)
        known->add(std::move(part));
      else
        known = std::move(part);
    } catch (const runtime::DeviceError&) {  // it does not fit
      if (hi - lo == 1) throw;
      together = (hi - lo) / 2;
      continue;
    }
    keep(path, *known);
    lo = hi;
  }
  const LearningResults& results = *known;
  const std::vector<double> finals = results.finals();
  out << row.name << ": " << digits(mean(finals), 4) << " ± " << digits(deviation(finals), 3)
      << " over " << finals.size() << " seeds, " << digits(results.seconds, 3) << " s" << std::endl;
}

Status learn(const BenchSettings& settings, std::ostream& out) {
  const Places places(settings);
  // Said before hours of training, not behind them.
  if (const std::string problem = settings.shortRuns ? "" : repl::plotterProblem();
      !problem.empty())
    throw UsageError("the curves of `" + places.page().string() + "`: " + problem);
  std::vector<std::pair<LearningRow, std::optional<LearningResults>>> all;
  int matching = 0, failed = 0;
  for (LearningRow& row : readLearningRows(places.list().string())) {
    const bool chosen = wanted(settings, row.name);
    matching += chosen;
    if (settings.shortRuns) {
      if (chosen) failed += !trainInShort(settings, places, row, out);
      continue;
    }
    if (chosen) measure(settings, places, row, out);
    auto results = kept(places.kept(row, ".csv"));
    if (results) draw(row, *results, places.kept(row, ".svg"));
    all.emplace_back(std::move(row), std::move(results));
  }
  if (matching == 0) throw UsageError("no learning run has a name with `" + settings.filter + "`");
  if (settings.shortRuns) return failed == 0 ? kOk : kProgramError;
  std::ofstream page(places.page());
  page << learningPage(all);
  if (!page.flush()) throw UsageError("can't write `" + places.page().string() + "`");
  out << "wrote " << places.page().string() << std::endl;
  return kOk;
}

}  // namespace

Status benchLearning(const BenchSettings& settings, std::ostream& out) {
  catchInterrupts();
  try {
    return learn(settings, out);
  } catch (const Interrupted&) {
    return kInterrupted;
  }
}

}  // namespace rlc::tools
