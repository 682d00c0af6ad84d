// rlc build FILE: an executable that runs a program where there is no compiler.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "compiler/sema/elaborate.h"
#include "jit/host/built_program.h"
#include "jit/native/native_program.h"
#include "tools/commands.h"
#include "tools/linker.h"
#include "tools/native_device.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

struct BuildOptions {
  ProgramOptions program;
  std::string output, targetCpu = "native", linker;
  RunSettings settings;  // addCompileSettings's
};

const char* const kBuildExamples = R"(examples:
  rlc build cartpole.rl                          writes ./cartpole
  rlc build cartpole.rl -o run iterations=50     with another value of a param that is part of the code
  rlc build cartpole.rl --target-cpu baseline    for any machine of this architecture
  ./cartpole lr=3e-4 --seed 7 --threads 2        the program's own options: ./cartpole --help)";

std::string outputOf(const BuildOptions& options) {
  if (!options.output.empty()) return options.output;
  if (options.program.file == "-")
    throw UsageError("rlc build - needs a name for the program: -o NAME");
  const std::filesystem::path path(options.program.file);
  if (path.extension() != ".rl")
    throw UsageError("`" + options.program.file +
                     "` does not end in .rl: name the program with -o NAME");
  return path.stem().string();
}

// A param that is a number which the code reads as it runs.
bool isOpen(const sema::ParamFact& param) {
  const bool floating = param.type == "f32" || param.type == "f64" || param.type == "bf16";
  return floating && !param.compileTime && !param.givesOthers;
}

std::vector<host::ParamText> paramsOf(const sema::Program& program, const host::Plan& plan) {
  std::vector<host::ParamText> params;
  for (const sema::ParamFact& fact : program.params) {
    host::ParamText param{fact.name, fact.doc, fact.type, fact.value, -1};
    const auto found = std::find_if(plan.parameters.begin(), plan.parameters.end(),
                                    [&](const auto& p) { return p.name == fact.name; });
    if (found != plan.parameters.end() && isOpen(fact))
      param.number = static_cast<int>(found - plan.parameters.begin());
    params.push_back(std::move(param));
  }
  return params;
}

// The files that messages of a run may show.
std::vector<host::SourceText> sourcesOf(const diagnostics::SourceMap& sources,
                                        const host::Plan& plan) {
  std::set<diagnostics::FileId> shown;
  for (const host::Sink& sink : plan.sinks) shown.insert(sink.span.file);
  for (const host::Fault& fault : plan.faults) shown.insert(fault.span.file);
  std::vector<host::SourceText> texts(static_cast<size_t>(sources.size()));
  for (diagnostics::FileId file = 0; file < sources.size(); ++file)
    if (shown.contains(file))
      texts[static_cast<size_t>(file)] = {sources.path(file), sources.text(file)};
  return texts;
}

cpu::CompileOptions compileOptions(const BuildOptions& options, const DeviceOptions& device) {
  cpu::CompileOptions compile = cpuOptions(device);
  if (options.targetCpu != "native") compile.targetCpu = options.targetCpu;
  try {
    cpu::targetOf(compile);
  } catch (const cpu::UnknownProcessor& error) {
    throw UsageError(error.what());
  }
  return compile;
}

int build(const BuildOptions& options) {
  const std::string output = outputOf(options);
  refuseToReplace(output, options.program);
  const DeviceOptions device = options.settings.deviceOptions();
  const cpu::CompileOptions compile = compileOptions(options, device);
  const auto loaded = loadProgram(options.program);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;

  const native::MachineMaker make{[&](const loops::Program& lowered) {
    return std::make_unique<native::CpuMachine>(lowered, compile);
  }};
  host::BuiltProgram built;
  std::vector<std::string> objects;
  fitting(device.memoryLimit, [&] {
    const native::NativeProgram native(make, optimized(loaded->program->graph, device),
                                       {device.memoryLimit, threadsOf(device)});
    built = native.built();
    const auto& machine = static_cast<const native::CpuMachine&>(native.machine());
    objects.assign(machine.executable().objects().begin(), machine.executable().objects().end());
  });
  built.name = options.program.file;
  built.version = RLC_VERSION;
  built.features = cpu::featuresOf(cpu::targetOf(compile), host::processorFeatures());
  built.sources = sourcesOf(loaded->sources, built.plan);
  built.params = paramsOf(*loaded->program, built.plan);
  objects.push_back(cpu::dataObject("rlc_program", host::toBytes(built)));
  linkProgram(objects, output, options.linker);
  return kOk;
}

}  // namespace

void addBuildCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* command = app.add_subcommand("build", "compile a program into an executable");
  addProgramOptions(*command, options->program, true);
  command
      ->add_option("-o,--output", options->output,
                   "the executable (default: the program's name without .rl)")
      ->type_name("NAME")
      ->take_last();
  command
      ->add_option("--target-cpu", options->targetCpu,
                   "the processor: native, baseline (any of this architecture) or a name of LLVM's "
                   "(default: native)")
      ->type_name("CPU")
      ->take_last();
  addCompileSettings(*command, options->settings);
  command
      ->add_option("--linker", options->linker,
                   "the C++ compiler that links (default: $CXX, c++, g++, clang++, cc)")
      ->type_name("PROGRAM")
      ->take_last();
  command->footer(kBuildExamples);
  command->callback([options, &status] { status = build(*options); });
}

}  // namespace rlc::tools
