// rlc bench KIND: measures this machine and what the compiler makes of it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <thread>

#include "compiler/diagnostics/nearest.h"
#include "tools/bench.h"
#include "tools/commands.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

struct BenchKind {
  std::string_view name, why;
  Status (*run)(const BenchSettings&, std::ostream&);
  bool byName = false;  // only when it is asked for
};

template <void (*measure)(const BenchSettings&, std::ostream&)>
Status figures(const BenchSettings& settings, std::ostream& out) {
  measure(settings, out);
  return kOk;
}

constexpr BenchKind kKinds[] = {
    {"machine", "the machine's limits: FMA and memory bandwidth", figures<benchMachine>},
    {"passes", "what passes, windows and memory limits are worth (docs/passes.md)",
     figures<benchPasses>},
    {"start", "lines/s of the front end, text to first iteration", figures<benchStart>},
    {"workloads", "the programs of benchmarks/workloads, against the machine's limits",
     figures<benchWorkloads>},
    {"peers", "the same programs in other systems, in turn, and what is aimed at",
     figures<benchPeers>},
    {"learning", "trains the examples and writes docs/learning.md (hours; only by its name)",
     benchLearning, true},
};

const char* const kBenchExamples = R"(examples:
  rlc bench                                everything
  rlc bench machine                        what this machine can do
  rlc bench workloads --filter rollout     some rows
  rlc bench start --threads 1 --json       an object a row
  rlc bench learning --filter ppo          train, and write the page)";

struct BenchOptions {
  std::vector<std::string> kinds;
  BenchSettings settings;
  std::string threads = "", repeats = "5", seconds = "", seeds = "10", together = "";
};

int wholeNumber(const std::string& option, const std::string& text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most)
    throw UsageError(option + " takes an integer from 1 to " + std::to_string(most) + ", not `" +
                     text + "`");
  return value;
}

const BenchKind& kindOf(const std::string& name) {
  std::vector<std::string> known;
  for (const BenchKind& kind : kKinds) {
    if (kind.name == name) return kind;
    known.emplace_back(kind.name);
  }
  std::string all;
  for (const std::string& each : known) all += (all.empty() ? "" : ", ") + each;
  const std::string hint = diagnostics::didYouMean(name, known);
  throw UsageError("rlc bench measures no `" + name + "`; " +
                   (hint.empty() ? "there are: " + all : hint));
}

int bench(BenchOptions options) {
  BenchSettings& settings = options.settings;
  settings.threads = options.threads.empty()
                         ? std::max(1, static_cast<int>(std::thread::hardware_concurrency()))
                         : wholeNumber("--threads", options.threads, 1024);
  settings.repeats = wholeNumber("--repeats", options.repeats, 1000);
  if (!options.seconds.empty())
    settings.seconds = wholeNumber("--seconds", options.seconds, 1000000);
  settings.seeds = wholeNumber("--seeds", options.seeds, 100000);
  settings.together = options.together.empty()
                          ? settings.seeds
                          : wholeNumber("--together", options.together, 100000);
  if (settings.folder.empty()) settings.folder = RLC_SOURCE_WORKLOADS;
  std::vector<const BenchKind*> kinds;
  for (const std::string& name : options.kinds) kinds.push_back(&kindOf(name));
  if (kinds.empty())
    for (const BenchKind& kind : kKinds)
      if (!kind.byName) kinds.push_back(&kind);
  for (const BenchKind* kind : kinds)
    if (const Status status = kind->run(settings, std::cout); status != kOk) return status;
  return kOk;
}

}  // namespace

void addBenchCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "measure the machine and the compiler");
  std::string kinds = "what to measure (default: all but learning)";
  for (const BenchKind& kind : kKinds)
    kinds += "\n" + std::string(kind.name) + ": " + std::string(kind.why);
  command->add_option("KIND", options->kinds, kinds);
  command->add_option("--threads", options->threads, "how many threads (default: one a core)")
      ->type_name("N")
      ->take_last();
  command
      ->add_option("--repeats", options->repeats,
                   "how many runs a median is of, turns of a peer (default: 5)")
      ->type_name("N")
      ->take_last();
  command
      ->add_option("--seconds", options->seconds,
                   "workloads: after so many begin no further run of a row, of three at least; "
                   "peers: end a peer that takes longer (default: no limit, 25 for a peer)")
      ->type_name("N")
      ->take_last();
  command->add_option("--filter", options->settings.filter, "only rows whose name contains this")
      ->type_name("TEXT");
  command->add_option("--programs", options->settings.folder, "the folder of the workloads")
      ->type_name("FOLDER");
  command->add_option("--stdlib", options->settings.stdlib, "the folder of the standard library")
      ->type_name("FOLDER");
  command->add_option("--seeds", options->seeds, "learning: how many seeds (default: 10)")
      ->type_name("N")
      ->take_last();
  command
      ->add_option(
          "--together", options->together,
          "learning: how many seeds a run trains at most (default: all that memory allows)")
      ->type_name("N")
      ->take_last();
  command->add_option("--device", options->settings.device, "learning: what trains (default: cpu)")
      ->check(CLI::IsMember({"cpu", "gpu"}))
      ->type_name("cpu|gpu")
      ->take_last();
  command->add_flag("--add", options->settings.add,
                    "learning: train only the seeds that are not kept yet");
  command->add_flag("--short", options->settings.shortRuns,
                    "learning: short runs, which fail when an algorithm stops learning");
  command->add_flag("--json", options->settings.json, "as JSON, an object a row");
  command->footer(kBenchExamples);
  command->callback([options, &status] { status = bench(*options); });
}

}  // namespace rlc::tools
