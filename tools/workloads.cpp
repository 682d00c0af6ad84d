#include "tools/workloads.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compiler/loops/work.h"
#include "compiler/passes/pipeline.h"
#include "jit/native/native_program.h"
#include "tools/native_device.h"
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

cpu::CompileOptions compileOptions(const Json& row) {
  DeviceOptions device;
  device.matmul = parseMatmulPrecision(row.value("precision", "f32"));
  return cpuOptions(device);
}

std::unique_ptr<native::NativeProgram> compiled(const LoadedProgram& program,
                                                const cpu::CompileOptions& options) {
  pdg::Graph graph = program.program->graph;
  passes::runPasses(graph, {});
  return std::make_unique<native::NativeProgram>(graph, options);
}

// The value of an expression over the program's params.
double evaluated(const ProgramOptions& options, const std::string& expression) {
  const auto program = loaded(options, "f64(" + expression + ")");
  Silence output;
  compiled(*program, {})->run(output, {}, {});
  return output.last.asDouble();
}

}  // namespace

Workload::Workload(const BenchSettings& settings, const Json& row)
    : name_(row.at("name").get<std::string>()),
      units_(evaluated(programOf(settings, row), row.at("work").get<std::string>())),
      compile_(std::make_unique<cpu::CompileOptions>(compileOptions(row))),
      native_(compiled(*loaded(programOf(settings, row), ""), *compile_)) {}

Workload::~Workload() = default;

double Workload::seconds(int threads) const {
  using Clock = std::chrono::steady_clock;
  native::RunOptions run;
  run.threads = threads;
  run.findNan = false;
  Silence output;
  const auto start = Clock::now();
  native_->run(output, {}, run);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (output.notFinite.empty()) return seconds;
  throw UsageError("the workload `" + name_ + "` computes no finite numbers: " + output.notFinite);
}

double Workload::usualSeconds(int threads) const {
  constexpr double kEnough = 1.0 / 3, kLong = 1.0;
  if (const double first = seconds(threads); first > kLong) return first;
  std::vector<double> times;
  for (double spent = 0; spent < kEnough; spent += times.back()) times.push_back(seconds(threads));
  return spreadOf(times).median;
}

loops::Work Workload::work() const { return loops::WorkCount(native_->lowered().program).total(); }

double Workload::memoryBytes(int threads) const {
  return static_cast<double>(native_->plannedBytes(threads));
}

bool Workload::multipliesPairs() const {
  if (!compile_->roundFactors) return false;
  const auto code = cpu::codeOfRegions(native_->lowered().program, *compile_);
  return std::any_of(code.begin(), code.end(),
                     [](const cpu::RegionCode& region) { return region.pairs; });
}

std::string mebibytes(double bytes) { return digits(bytes / 1048576.0, 3) + " MiB"; }

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
