// The programs that benchmarks/workloads/workloads.json lists, run in this process.
//
// The file is a list of tables: {"title", "unit", "rows": [{"name", "program", "set": ["n=3"],
// "work", "peak", "threads", "beside", "most", "peers"}]}; "work" is an expression over the
// program's params, how many units a run does; "peak" the share of the FMA peak that is aimed at;
// "precision": of matrix products, as `rlc run` has it;
// "threads": its gain from threads is measured; "beside": the row of the same table with whose its
// own time of a unit is compared, where both have "lanes" that of a lane's own unit, and "most" how
// many times as much it is to take at most.
// "peers": [{"run": [program, arguments], "aim", "memory"}], how many times as fast as which it is
// to be, and in how much of its memory; or, in place of "run", "published", with what, and "rate":
// a rate that others have published.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/bench.h"

namespace rlc::cpu {
struct CompileOptions;
}

namespace rlc::native {
class NativeProgram;
}

namespace rlc::tools {

// A row's program, compiled.
class Workload {
 public:
  // `row` of such a table. Throws UsageError where its program is wrong.
  Workload(const BenchSettings& settings, const nlohmann::json& row);
  ~Workload();

  // Runs it: seconds. Throws UsageError where a result is no finite number: arithmetic on those
  // takes other times, and learns nothing.
  double seconds(int threads) const;
  // Of a run in a row of runs, as what the caches have and threads that are awake make it: the
  // median of a third of a second, without the first run, which may wait for the system's memory. A
  // first run of more than a second is the only one.
  double usualSeconds(int threads) const;
  double units() const { return units_; }  // of a run
  loops::Work work() const;
  double memoryBytes(int threads) const;  // that a run allocates for tensors
  bool multipliesPairs() const;           // of bf16

 private:
  std::string name_;
  double units_ = 0;
  std::unique_ptr<cpu::CompileOptions> compile_;
  std::unique_ptr<native::NativeProgram> native_;
};

// Each row that was asked for, with its table.
using WorkloadVisitor = std::function<void(const nlohmann::json& table, const nlohmann::json& row)>;
void forEachWorkload(const BenchSettings& settings, const WorkloadVisitor& visit);

std::string mebibytes(double bytes);  // "1.23 MiB"

}  // namespace rlc::tools
