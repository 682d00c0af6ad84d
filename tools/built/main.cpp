// The main program of what `rlc build` makes; the linker adds the code and the description of a
// program.
#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <thread>

#include "compiler/diagnostics/nearest.h"
#include "jit/host/built_program.h"
#include "jit/host/kernel.h"
#include "jit/host/out_of_memory.h"
#include "jit/host/run.h"
#include "tools/interrupt.h"
#include "tools/param_options.h"
#include "tools/run_session.h"

extern "C" {
void rlc_main(rlc::host::KernelContext* context);
extern const int64_t rlc_scratch_bytes, rlc_thread_scratch_bytes;
extern const char rlc_program[];
extern const int64_t rlc_program_size;
}

namespace {

using namespace rlc;
using namespace rlc::tools;

struct Options {
  ParamOptions params;
  std::string seed = "0", threads;
  ShowOptions show;
};

double numberOf(const std::string& name, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw UsageError("`" + name + "` takes a number, not `" + text + "`");
}

std::vector<Scalar> paramValues(const host::BuiltProgram& program, const ParamOptions& options) {
  std::vector<Scalar> values;
  for (const host::Parameter& parameter : program.plan.parameters)
    values.push_back(parameter.value);
  for (const auto& [name, text] : paramOverrides(options)) {
    const auto param = std::find_if(program.params.begin(), program.params.end(),
                                    [&](const auto& p) { return p.name == name; });
    if (param == program.params.end()) {
      std::vector<std::string> known;
      for (const host::ParamText& each : program.params) known.push_back(each.name);
      const std::string hint = diagnostics::didYouMean(name, known);
      throw UsageError("there is no param `" + name + "`" + (hint.empty() ? "" : "; " + hint));
    }
    if (param->number < 0)
      throw UsageError("the value of `" + name +
                       "` is part of this program's code: build it again with `rlc build " +
                       program.name + " " + name + "=" + text + "`");
    Scalar& value = values.at(static_cast<size_t>(param->number));
    value = Scalar::ofFloat(value.type, numberOf(name, text));
  }
  return values;
}

void checkProcessor(const host::BuiltProgram& program) {
  std::string missing;
  for (const std::string& feature : program.features)
    if (!host::processorHas(feature)) missing += (missing.empty() ? "" : ", ") + feature;
  if (!missing.empty())
    throw runtime::DeviceError(
        "this program was built for a processor with instructions that this machine's has not (" +
        missing + "): build it with `rlc build " + program.name + " --target-cpu baseline`");
}

std::string footer(const host::BuiltProgram& program) {
  std::string text = "Built from " + program.name + " by rlc " + program.version + ".";
  for (const bool open : {true, false}) {
    bool first = true;
    for (const host::ParamText& param : program.params) {
      if ((param.number >= 0) != open) continue;
      if (first)
        text +=
            open ? "\nParams:" : "\nParams that are part of the code (rlc build FILE name=value):";
      first = false;
      text += "\n  " + param.name + ": " + param.type + " = " + param.value +
              (param.doc.empty() ? "" : "   " + param.doc);
    }
  }
  return text;
}

int run(const host::BuiltProgram& program, const Options& options) {
  host::RunOptions settings;
  settings.seed = parseSeed(options.seed);
  settings.threads = parseThreads(options.threads);
  if (settings.threads == 0)
    settings.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  settings.params = paramValues(program, options.params);
  checkProcessor(program);
  diagnostics::SourceMap sources;
  for (const host::SourceText& source : program.sources) sources.add(source.path, source.text);
  const host::Kernel kernel{&rlc_main, rlc_scratch_bytes, rlc_thread_scratch_bytes,
                            program.arenaBytes};
  ShowOptions show = options.show;
  show.seed = settings.seed;
  catchInterrupts();
  return runAndShow(show, sources,
                    [&](runtime::SinkOutput& output, const runtime::RunControl& control) {
                      const auto execution =
                          host::makeExecution(kernel, program.residentBytes, program.scratchInFile);
                      const host::RunResult result =
                          host::run(program.plan, *execution, output, control, settings);
                      return RunSummary{result.end, ""};
                    });
}

int dispatch(int argc, char** argv) {
  const host::BuiltProgram program =
      host::builtProgram({rlc_program, static_cast<size_t>(rlc_program_size)});
  Options options;
  CLI::App app("The program " + program.name + ".");
  app.set_version_flag("--version", program.name + ", built by rlc " + program.version,
                       "what it was built from, and by which rlc");
  addParamOptions(app, options.params);
  addSeedAndThreads(app, options.seed, options.threads);
  addShowOptions(app, options.show);
  app.footer(footer(program));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? kOk : kUsageError;
  }
  return run(program, options);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 0 ? argv[0] : "program";
  const std::string name = path.substr(path.find_last_of('/') + 1);
  rlc::host::sayWhenOutOfMemory(name.c_str());
  return rlc::tools::withMessages(name, [&] { return dispatch(argc, argv); });
}
