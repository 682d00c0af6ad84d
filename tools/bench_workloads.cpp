// rlc bench workloads: the programs of benchmarks/workloads against the machine's limits, and what
// a thread more is worth.
#include <nlohmann/json.hpp>
#include <optional>

#include "tools/workloads.h"

namespace rlc::tools {

namespace {

using Json = nlohmann::json;

void measure(const BenchSettings& settings, const Json& row, const std::string& unit,
             BenchTable& table) {
  const WorkloadTime time = timeWorkload(settings, row);
  const double rate = time.work.flops / time.seconds;
  const double traffic = (time.work.loadBytes + time.work.storeBytes) / time.seconds;
  const MachinePeaks& peaks = machinePeaks(settings.threads);
  const double aim = row.value("peak", 0.0);
  table.row(
      {row.at("name").get<std::string>(), withPrefix(time.unitsPerSecond) + unit,
       digits(time.seconds * 1e3, 3) + " ms",
       sureness(time.work) + withPrefix(time.work.flops) + "FLOP", withPrefix(rate) + "FLOP/s",
       shareOf(rate, peaks.flops) + (aim > 0 ? ", aim " + digits(100 * aim, 2) + " %" : ""),
       withPrefix(traffic) + "B/s", shareOfMemory(traffic, peaks.bytes),
       digits(time.arenaBytes / 1048576.0, 3) + " MiB"},
      {{"units_per_second", time.unitsPerSecond},
       {"seconds", time.seconds},
       {"flops", time.work.flops},
       {"bytes", time.work.loadBytes + time.work.storeBytes}});
}

// The aim of docs/performance.md for 2 cores, and for 16, in between as many times one thread.
double aimOf(int threads) { return threads < 16 ? 0.9 * threads : 0.75 * threads; }

void measureThreads(const BenchSettings& settings, const Json& row, const std::string& unit,
                    BenchTable& table) {
  BenchSettings alone = settings;
  alone.threads = 1;
  const double one = timeWorkload(alone, row).unitsPerSecond,
               all = timeWorkload(settings, row).unitsPerSecond;
  table.row({row.at("name").get<std::string>(), withPrefix(one) + unit, withPrefix(all) + unit,
             digits(all / one, 3) + "x", digits(aimOf(settings.threads), 2) + "x"},
            {{"ratio", all / one}, {"aim", aimOf(settings.threads)}});
}

}  // namespace

void benchWorkloads(const BenchSettings& settings, std::ostream& out) {
  std::optional<BenchTable> table;
  std::string title;
  forEachWorkload(settings, [&](const Json& each, const Json& row) {
    if (!table || each.at("title").get<std::string>() != title) {
      title = each.at("title").get<std::string>();
      table.emplace(out, settings, title,
                    std::vector<std::string>{"workload", "rate", "a run", "arithmetic",
                                             "rate of arithmetic", "of the FMA peak",
                                             "loads and stores", "of the memory's rate", "memory"});
    }
    measure(settings, row, each.at("unit").get<std::string>(), *table);
  });
  if (settings.threads == 1) return;
  BenchTable threads(
      out, settings, "Threads",
      {"workload", "one thread", std::to_string(settings.threads) + " threads", "ratio", "aim"});
  forEachWorkload(settings, [&](const Json& each, const Json& row) {
    if (row.value("threads", false))
      measureThreads(settings, row, each.at("unit").get<std::string>(), threads);
  });
}

}  // namespace rlc::tools
