// What `rlc bench` measures: kinds of measurement, a file each, and the table that all of them
// fill.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/loops/work.h"
#include "tools/status.h"

namespace rlc::tools {

struct BenchSettings {
  int threads = 1;
  int repeats = 5;       // medians are of so many runs,
  double seconds = 1e9;  // or of fewer, so that a row takes about this long
  std::string folder;    // benchmarks/workloads: the programs that are measured
  std::string stdlib;    // --stdlib
  std::string filter;    // only rows whose name contains it
  bool json = false;
  int seeds = 10;              // of each learning run
  int together = 10;           // learning: seeds in one run, at most
  bool add = false;            // learning: to the seeds that are kept
  std::string device = "cpu";  // learning
  bool shortRuns = false;      // learning: whether everything still learns, in seconds each
};

// Rows under a heading, as Markdown or as a JSON object a row; a row appears when it is measured.
class BenchTable {
 public:
  BenchTable(std::ostream& out, const BenchSettings& settings, std::string title,
             std::vector<std::string> columns);
  // `numbers`: what the cells round, for the JSON object.
  void row(const std::vector<std::string>& cells,
           const std::vector<std::pair<std::string, double>>& numbers = {});

 private:
  void write(const std::vector<std::string>& cells);

  std::ostream& out_;
  bool json_;
  std::string title_;
  std::vector<std::string> columns_;
  bool headed_ = false;
};

// Whether a row of this name was asked for.
bool wanted(const BenchSettings& settings, std::string_view name);

// Seconds of each call of `body`, sorted; one more call warms up and is not counted. After `limit`
// seconds no call begins but for the first three.
std::vector<double> timesOf(int repeats, const std::function<void()>& body, double limit = 1e9);
double median(const std::vector<double>& sorted);

// What was measured several times: the median, and what all of it lies between.
struct Spread {
  double median = 0, least = 0, most = 0;
  int count = 0;
};
Spread spreadOf(std::vector<double> values);
// "(441 to 460, 5 runs)", "(one run)": beside a median that is shown multiplied by `factor`.
std::string spreadText(const Spread& spread, double factor, const std::string& run);

// 3 significant digits with a unit's prefix: 1.23e9 -> "1.23 G".
std::string withPrefix(double value);
std::string digits(double value, int count);

// The machine's limits, measured once a process.
struct MachinePeaks {
  double flopsOneThread = 0, flops = 0;  // f32 FMA, FLOP/s (an FMA is two)
  // FMA of pairs of bf16 (four); 0: the processor has none.
  double pairFlopsOneThread = 0, pairFlops = 0;
  double bytesOneThread = 0, bytes = 0;  // bytes/s of a sum over an array larger than the caches
};
const MachinePeaks& machinePeaks(int threads);

// Of a limit, as a percentage; 0: it is not known.
std::string shareOf(double rate, double peak);
// Behind a share of the limit of pairs of bf16.
inline constexpr const char* kOfPairs = " (pairs of bf16)";
// Loads and stores are counted whoever serves them: more than the memory's rate comes from caches.
std::string shareOfMemory(double rate, double peak);

// What stands before counted arithmetic: "> " where it is at least as much, "< " where a hundredth
// or more of it may not have been asked for, "about " for both, nothing otherwise.
std::string sureness(const loops::Work& work);

// Trains examples and writes docs/learning.md; kProgramError where a short run has not learned.
Status benchLearning(const BenchSettings& settings, std::ostream& out);
void benchMachine(const BenchSettings& settings, std::ostream& out);
void benchPeers(const BenchSettings& settings, std::ostream& out);
void benchPasses(const BenchSettings& settings, std::ostream& out);
void benchStart(const BenchSettings& settings, std::ostream& out);
void benchWorkloads(const BenchSettings& settings, std::ostream& out);

// Where the system moves threads between cores that share a cache and cores that don't: waits, for
// some seconds at the most, until a signal from thread to thread takes no more than twice the
// least time that it has been seen to take, on two cores: two threads of one share its units.
void awaitNearThreads(int threads);

}  // namespace rlc::tools
