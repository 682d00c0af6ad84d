// The programs that benchmarks/workloads/workloads.json lists, run in this process.
//
// The file is a list of tables: {"title", "unit", "rows": [{"name", "program", "set": ["n=3"],
// "work", "peak", "threads", "peers"}]}; "work" is an expression over the program's params, how
// many units a run does; "peak" the share of the FMA peak that is aimed at; "threads": its gain
// from threads is measured; "peers": [{"run": [program, arguments], "aim"}], how many times as fast
// as which it is to be.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "tools/bench.h"

namespace rlc::tools {

struct WorkloadTime {
  double unitsPerSecond = 0, seconds = 0;  // of a run
  loops::Work work;
  double arenaBytes = 0;
};

// `row` of such a table. Throws UsageError where its program is wrong.
WorkloadTime timeWorkload(const BenchSettings& settings, const nlohmann::json& row);

// Each row that was asked for, with its table.
using WorkloadVisitor = std::function<void(const nlohmann::json& table, const nlohmann::json& row)>;
void forEachWorkload(const BenchSettings& settings, const WorkloadVisitor& visit);

}  // namespace rlc::tools
