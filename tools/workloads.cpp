#include "tools/workloads.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "compiler/loops/work.h"
#include "compiler/passes/pipeline.h"
#include "jit/native/native_program.h"
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

}  // namespace

WorkloadTime timeWorkload(const BenchSettings& settings, const Json& row) {
  const ProgramOptions options = programOf(settings, row);
  const double work = evaluated(options, row.at("work").get<std::string>());
  const auto program = loaded(options, "");
  const native::NativeProgram native = compiled(*program);
  native::RunOptions run;
  run.threads = settings.threads;
  Silence output;
  WorkloadTime result;
  result.seconds =
      median(timesOf(settings.repeats, [&] { native.run(output, {}, run); }, settings.seconds));
  result.unitsPerSecond = work / result.seconds;
  result.work = loops::WorkCount(native.lowered().program).total();
  result.arenaBytes = static_cast<double>(native.lowered().program.arenaBytes);
  return result;
}

void forEachWorkload(const BenchSettings& settings, const WorkloadVisitor& visit) {
  const Json tables = readTables(settings);
  try {
    for (const Json& table : tables)
      for (const Json& row : table.at("rows"))
        if (wanted(settings, row.at("name").get<std::string>()) ||
            wanted(settings, table.at("title").get<std::string>()))
          visit(table, row);
  } catch (const Json::exception& error) {
    throw UsageError("the list of workloads is not as it should be: " + std::string(error.what()));
  }
}

}  // namespace rlc::tools
