// rlc bench workloads: the programs of benchmarks/workloads against the machine's limits, what a
// thread more is worth, and what sizes cost that are no multiples of a block.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "tools/workloads.h"

namespace rlc::tools {

namespace {

using Json = nlohmann::json;

constexpr int kManyThreads = 16;  // that an aim is for

Spread runsOf(const BenchSettings& settings, const Workload& workload) {
  awaitNearThreads(settings.threads);
  return spreadOf(
      timesOf(settings.repeats, [&] { workload.seconds(settings.threads); }, settings.seconds));
}

std::string milliseconds(const Spread& seconds) {
  return digits(seconds.median * 1e3, 3) + " ms " + spreadText(seconds, 1e3, "run");
}

// How many times as long the first takes as the second, a turn after the other.
Spread ratiosOf(const BenchSettings& settings, const std::function<double()>& first,
                const std::function<double()>& second) {
  awaitNearThreads(settings.threads);
  std::vector<double> ratios;
  timesOf(
      settings.repeats,
      [&] {
        const double other = second();
        ratios.push_back(first() / other);
      },
      settings.seconds);
  ratios.erase(ratios.begin());  // it warmed up
  return spreadOf(ratios);
}

void measure(const BenchSettings& settings, const Json& row, const std::string& unit,
             BenchTable& table) {
  const Workload workload(settings, row);
  const Spread seconds = runsOf(settings, workload);
  const loops::Work work = workload.work();
  const double rate = work.flops / seconds.median, units = workload.units() / seconds.median;
  const double traffic = (work.loadBytes + work.storeBytes) / seconds.median;
  const MachinePeaks& peaks = machinePeaks(settings.threads);
  const bool pairs = workload.multipliesPairs();
  const double aim = row.value("peak", 0.0), memory = workload.memoryBytes(settings.threads);
  table.row({row.at("name").get<std::string>(), withPrefix(units) + unit, milliseconds(seconds),
             sureness(work) + withPrefix(work.flops) + "FLOP", withPrefix(rate) + "FLOP/s",
             shareOf(rate, pairs ? peaks.pairFlops : peaks.flops) + (pairs ? kOfPairs : "") +
                 (aim > 0 ? ", aim " + digits(100 * aim, 2) + " %" : ""),
             withPrefix(traffic) + "B/s", shareOfMemory(traffic, peaks.bytes), mebibytes(memory)},
            {{"units_per_second", units},
             {"seconds", seconds.median},
             {"least_seconds", seconds.least},
             {"most_seconds", seconds.most},
             {"runs", seconds.count},
             {"flops", work.flops},
             {"bytes", work.loadBytes + work.storeBytes},
             {"memory_bytes", memory}});
}

// A table some of whose rows are compared with others.
void measureBeside(const BenchSettings& settings, const Json& each, const Json& row,
                   BenchTable& table) {
  const std::string unit = each.at("unit").get<std::string>(),
                    beside = row.value("beside", std::string());
  const Workload workload(settings, row);
  const Spread seconds = runsOf(settings, workload);
  std::vector<std::string> cells = {row.at("name").get<std::string>(),
                                    withPrefix(workload.units() / seconds.median) + unit,
                                    milliseconds(seconds),
                                    "",
                                    "",
                                    ""};
  std::vector<std::pair<std::string, double>> numbers = {
      {"units_per_second", workload.units() / seconds.median}, {"seconds", seconds.median}};
  for (const Json& other : each.at("rows")) {
    if (beside.empty() || other.at("name").get<std::string>() != beside) continue;
    const Workload base(settings, other);
    const auto timeOf = [&](const Workload& of, const Json& its) {
      return of.seconds(settings.threads) / of.units() * its.value("lanes", 1.0);
    };
    const Spread ratio = ratiosOf(
        settings, [&] { return timeOf(workload, row); }, [&] { return timeOf(base, other); });
    const double most = row.value("most", 0.0);
    cells[3] = digits(ratio.median, 3) + "x " + spreadText(ratio, 1, "turn");
    cells[4] = beside;
    cells[5] = most > 0 ? "at most " + digits(most, 2) + "x" : "";
    numbers.insert(numbers.end(), {{"ratio", ratio.median}, {"aim", most}});
  }
  table.row(cells, numbers);
}

// The aim of docs/performance.md for 2 cores, and for 16, in between as many times one thread.
double aimOf(int threads) { return (threads < kManyThreads ? 0.9 : 0.75) * threads; }

void measureThreads(const BenchSettings& settings, const Json& row, const std::string& unit,
                    BenchTable& table) {
  const std::string name = row.at("name").get<std::string>();
  const Workload workload(settings, row);
  std::vector<double> one, all;
  const Spread ratio = ratiosOf(
      settings, [&] { return one.emplace_back(workload.seconds(1)); },
      [&] { return all.emplace_back(workload.seconds(settings.threads)); });
  const auto rate = [&](const std::vector<double>& seconds) {
    const Spread timed = spreadOf({seconds.begin() + 1, seconds.end()});  // the first warmed up
    return withPrefix(workload.units() / timed.median) + unit;
  };
  table.row(
      {name, rate(one), rate(all), digits(ratio.median, 3) + "x " + spreadText(ratio, 1, "turn"),
       digits(aimOf(settings.threads), 2) + "x"},
      {{"ratio", ratio.median}, {"aim", aimOf(settings.threads)}});
  if (settings.threads >= kManyThreads) return;
  const unsigned cores = std::thread::hardware_concurrency();
  table.row({name + ", " + std::to_string(kManyThreads) + " threads", "",
             "not measured: " + (cores < kManyThreads
                                     ? "the machine runs " + std::to_string(cores) + " threads"
                                     : "--threads is less"),
             "", digits(aimOf(kManyThreads), 2) + "x"},
            {{"aim", aimOf(kManyThreads)}});
}

bool comparesRows(const Json& table) {
  const Json& rows = table.at("rows");
  return std::any_of(rows.begin(), rows.end(),
                     [](const Json& row) { return row.contains("beside"); });
}

}  // namespace

void benchWorkloads(const BenchSettings& settings, std::ostream& out) {
  std::optional<BenchTable> table;
  std::string title;
  forEachWorkload(settings, [&](const Json& each, const Json& row) {
    const bool beside = comparesRows(each);
    if (!table || each.at("title").get<std::string>() != title) {
      title = each.at("title").get<std::string>();
      std::vector<std::string> columns = {"workload", "rate", "a run"};
      if (beside)
        columns.insert(columns.end(), {"time of a lane's unit", "beside", "aim"});
      else
        columns.insert(columns.end(), {"arithmetic", "rate of arithmetic", "of the FMA peak",
                                       "loads and stores", "of the memory's rate", "memory"});
      table.emplace(out, settings, title, std::move(columns));
    }
    if (beside)
      measureBeside(settings, each, row, *table);
    else
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
