// rlc bench workloads: the programs that benchmarks/workloads/workloads.json lists, run in this
// process.
//
// The file is a list of tables: {"title", "unit", "rows": [{"name", "program", "set": ["n=3"],
// "work"}]}; "work" is an expression over the program's params, how many units a run does.
#include <fstream>
#include <nlohmann/json.hpp>

#include "compiler/loops/work.h"
#include "compiler/passes/pipeline.h"
#include "jit/native/native_program.h"
#include "tools/bench.h"
#include "tools/program.h"
#include "tools/silence.h"

namespace rlc::tools {

namespace {

using Json = nlohmann::json;

Json readTables(const BenchSettings& settings) {
  const std::string path = settings.folder + "/workloads.json";
  std::ifstream in(path);
  if (!in) throw UsageError("can't read the list of workloads `" + path + "`");
  try {
    return Json::parse(in);
  } catch (const Json::exception& error) {
    throw UsageError("`" + path + "` is not a list of workloads: " + error.what());
  }
}

ProgramOptions programOf(const BenchSettings& settings, const Json& row) {
  ProgramOptions options;
  options.file = settings.folder + "/" + row.at("program").get<std::string>();
  options.library = settings.stdlib;
  for (const Json& assignment : row.value("set", Json::array()))
    options.assignments.push_back(assignment.get<std::string>());
  return options;
}

std::unique_ptr<LoadedProgram> loaded(const ProgramOptions& options,
                                      const std::string& expression) {
  auto program = loadProgram(options, expression);
  if (program->program) return program;
  showDiagnostics(*program);
  throw UsageError("the workload `" + options.file + "` is wrong");
}

native::NativeProgram compiled(const LoadedProgram& program) {
  pdg::Graph graph = program.program->graph;
  passes::runPasses(graph, {});
  return native::NativeProgram(graph, {});
}

// The value of an expression over the program's params.
double evaluated(const ProgramOptions& options, const std::string& expression) {
  const auto program = loaded(options, "f64(" + expression + ")");
  Silence output;
  compiled(*program).run(output, {}, {});
  return output.last.asDouble();
}

void measure(const BenchSettings& settings, const Json& row, const std::string& unit,
             BenchTable& table) {
  const ProgramOptions options = programOf(settings, row);
  const double work = evaluated(options, row.at("work").get<std::string>());
  const auto program = loaded(options, "");
  const native::NativeProgram native = compiled(*program);
  native::RunOptions run;
  run.threads = settings.threads;
  Silence output;
  const double seconds =
      median(timesOf(settings.repeats, [&] { native.run(output, {}, run); }, settings.seconds));
  const loops::Work counted = loops::WorkCount(native.lowered().program).total();
  const double rate = counted.flops / seconds;
  table.row(
      {row.at("name").get<std::string>(), withPrefix(work / seconds) + unit,
       digits(seconds * 1e3, 3) + " ms", sureness(counted) + withPrefix(counted.flops) + "FLOP",
       withPrefix(rate) + "FLOP/s",
       digits(100 * rate / machinePeaks(settings.threads).flops, 2) + " %",
       digits(static_cast<double>(native.lowered().program.arenaBytes) / 1048576.0, 3) + " MiB"},
      {{"units_per_second", work / seconds}, {"seconds", seconds}, {"flops", counted.flops}});
}

}  // namespace

void benchWorkloads(const BenchSettings& settings, std::ostream& out) {
  const Json tables = readTables(settings);
  try {
    for (const Json& each : tables) {
      BenchTable table(out, settings, each.at("title").get<std::string>(),
                       {"workload", "rate", "a run", "arithmetic", "rate of arithmetic",
                        "of the FMA peak", "memory"});
      for (const Json& row : each.at("rows"))
        if (wanted(settings, row.at("name").get<std::string>()) ||
            wanted(settings, each.at("title").get<std::string>()))
          measure(settings, row, each.at("unit").get<std::string>(), table);
    }
  } catch (const Json::exception& error) {
    throw UsageError("the list of workloads is not as it should be: " + std::string(error.what()));
  }
}

}  // namespace rlc::tools
