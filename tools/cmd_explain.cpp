// rlc explain CODE | FILE: an error code at length, or what became of a program.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "compiler/diagnostics/kinds.h"
#include "compiler/explain/dot.h"
#include "compiler/explain/html.h"
#include "compiler/explain/text.h"
#include "compiler/loops/printer.h"
#include "compiler/pdg/printer.h"
#include "jit/gpu/entry_points.h"
#include "jit/gpu/machine.h"
#include "jit/gpu/module.h"
#include "tools/commands.h"
#include "tools/native_device.h"
#include "tools/program.h"
#include "tools/replace_file.h"

namespace rlc::tools {

namespace {

const char* const kExplainExamples = R"(examples:
  rlc explain E0301                      what an error means and what to do about it
  rlc explain ppo.rl --html ppo.html     a page of everything, for the browser
  rlc explain cartpole.rl                the dependence graph of a program
  rlc explain passes FILE                what each pass changed, and what it could not
  rlc explain graph FILE --after simplify-reductions
  rlc explain graph FILE --before simplify:2 --after simplify:2    what the second run changed
  rlc explain schedule FILE              the loops that run it, and why some run in order
  rlc explain memory FILE                where every tensor lives, and the size of the whole
  rlc explain loops FILE                 the loop program that native code is made from
  rlc explain kernels FILE               the optimized LLVM code
  rlc explain kernels FILE --device gpu  the CUDA kernels; needs no GPU
  rlc explain graph FILE --format dot | dot -Tpdf -o graph.pdf
stages: graph passes schedule memory loops kernels assembly)";

constexpr std::string_view kStages[] = {"graph", "passes",  "schedule", "memory",
                                        "loops", "kernels", "assembly"};

struct ExplainOptions {
  ProgramOptions program;
  std::string format = "text", html, output, device = "cpu";
  explain::Moment moment;
  std::vector<std::string> disabled;
  bool operations = false;
  std::string memoryLimit, precision = "f32";
};

bool isStage(const std::string& text) {
  return std::find(std::begin(kStages), std::end(kStages), text) != std::end(kStages);
}

// `rlc explain schedule FILE ...`: the stage stands where FILE is expected. "": none.
std::string takeStage(ProgramOptions& options) {
  if (options.assignments.empty()) return "";
  if (!isStage(options.file)) {
    if (!options.assignments.front().ends_with(".rl")) return "";
    std::string stages;
    for (const std::string_view stage : kStages)
      stages += (stages.empty() ? "" : " ") + std::string(stage);
    throw UsageError("there is no stage `" + options.file + "`; the stages are " + stages);
  }
  const std::string stage = options.file;
  options.file = options.assignments.front();
  options.assignments.erase(options.assignments.begin());
  return stage;
}

gpu::GenerateOptions gpuOptions(const ExplainOptions& wanted) {
  gpu::GenerateOptions options;
  options.roundFactors = parseMatmulPrecision(wanted.precision) != MatmulPrecision::F32;
  options.library = [] { return gpu::cublas(0) != nullptr; };
  return options;
}

// CUDA C++, with the source lines that it came from.
std::string gpuKernels(const explain::Subject& subject, gpu::GenerateOptions options) {
  options.describe = [&](const diagnostics::Span& span) {
    const std::string place = explain::placeText(subject, span);
    return place.empty() ? place : place + ": " + explain::lineText(subject, span);
  };
  return gpu::generate(subject.program->lowered().program, options).source;
}

std::string textOf(const std::string& stage, const explain::Subject& subject,
                   const ExplainOptions& options) {
  if (stage == "graph") {
    const explain::Moment& moment = options.moment;
    const bool change = !moment.before.empty() && moment.before == moment.after;
    return change ? explain::changesText(subject) : pdg::print(subject.graph);
  }
  if (stage == "passes") return explain::passesText(subject);
  if (stage == "schedule") return explain::scheduleText(subject);
  if (stage == "memory") return explain::memoryText(subject);
  const loops::Program& program = subject.program->lowered().program;
  if (stage == "loops") return loops::print(program);
  DeviceOptions device;
  device.matmul = parseMatmulPrecision(options.precision);
  const cpu::CompileOptions compile = cpuOptions(device);
  return stage == "kernels" ? cpu::llvmText(program, compile) : cpu::assemblyText(program, compile);
}

std::string dotOf(const std::string& stage, const explain::Subject& subject, bool operations) {
  if (stage == "graph")
    return operations
               ? explain::operationsDot(subject)
               : explain::tensorsDot(subject, explain::equationsOf(subject.graph, subject.places));
  if (stage == "passes") return explain::passesDot(subject);
  if (stage == "schedule") return explain::scheduleDot(subject);
  if (stage == "memory") return explain::memoryDot(subject);
  if (stage == "kernels") return explain::kernelsDot(subject);
  throw UsageError(
      "`" + stage +
      "` is text only; as a graph there are graph, passes, schedule, memory and kernels");
}

std::string pageOf(const std::string& stage, const explain::Subject& subject,
                   const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  std::vector<explain::Section> sections;
  const auto wanted = [&](const char* one) { return stage.empty() || stage == one; };
  if (wanted("graph")) sections.push_back(explain::graphSection(subject));
  if (wanted("passes")) sections.push_back(explain::passesSection(subject));
  if (wanted("schedule")) sections.push_back(explain::scheduleSection(subject));
  if (wanted("memory")) sections.push_back(explain::memorySection(subject));
  if (wanted("kernels")) sections.push_back(explain::kernelsSection(subject));
  if (sections.empty())
    throw UsageError(
        "`" + stage +
        "` is text only; as a page there are graph, passes, schedule, memory and kernels");
  return explain::page(name, "What the compiler made of it", sections);
}

// E and digits only: a file of such a name can be given as ./E0123.
bool looksLikeCode(const std::string& text) {
  return text.size() >= 2 && (text[0] == 'E' || text[0] == 'e') &&
         std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isdigit(c); });
}

int explainCode(const std::string& code) {
  const auto kind = diagnostics::kindOfCode(code);
  if (!kind) {
    std::cerr << "rlc: there is no error code " << code << "; the codes are:\n";
    for (const auto& known : diagnostics::allKinds())
      std::cerr << "  " << known.code << "  " << known.title << "\n";
    return kUsageError;
  }
  const auto& known = diagnostics::info(*kind);
  std::cout << known.code << ": " << known.title << "\n\n";
  std::string_view text = known.explanation;
  while (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  std::cout << text << (text.ends_with('\n') ? "" : "\n") << std::flush;
  return kOk;
}

void write(const std::string& text, const std::string& file) {
  if (file.empty() || file == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::error_code code;
  const auto there = std::filesystem::status(file, code);
  bool written = false;
  if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) {
    written = replaceFile(file, text);
  } else {  // a pipe, a terminal
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    written = out.good();
  }
  if (!written) throw UsageError("can't write `" + file + "`");
}

// The moment that was asked for; both of one run: up to its end.
explain::Moment stopOf(const ExplainOptions& options) {
  if (!options.moment.before.empty() && !options.moment.after.empty() &&
      options.moment.before != options.moment.after)
    throw UsageError(
        "--before and --after together show what one pass changed: give both the same name");
  return options.moment.after.empty() ? options.moment : explain::Moment{"", options.moment.after};
}

void compileWithin(explain::Subject& subject, const ExplainOptions& options) {
  const int64_t limit =
      options.memoryLimit.empty() ? 0 : parseSize("--memory-limit", options.memoryLimit);
  const int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  native::MachineMaker make;
  if (options.device == "gpu")
    make = {[own = gpuOptions(options)](const loops::Program& program) {
              return gpu::planMachine(program, own);
            },
            schedule::LaneKind::Threads};
  fitting(limit, [&] { explain::compile(subject, {limit, threads}, make); });
}

int explain(ExplainOptions options) {
  std::string stage = takeStage(options.program);
  if (options.program.file.empty()) throw UsageError("explain takes an error code or a program");
  if (looksLikeCode(options.program.file)) return explainCode(options.program.file);
  if (!options.html.empty()) {
    options.format = "html";
    options.output = options.html;
  }
  if (!options.output.empty() && options.output != "-")
    refuseToReplace(options.output, options.program);
  const bool page = options.format == "html";
  if (stage.empty() && !page) stage = "graph";
  const explain::Moment stop = stopOf(options);
  const auto loaded = loadProgram(options.program);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;

  explain::EquationPlaces places;
  for (const sema::TensorFact& fact : loaded->program->tensors) places[fact.name] = fact.equations;
  explain::Subject subject(loaded->sources, 0,
                           explain::placesOf(std::move(places), loaded->program->parts),
                           loaded->program->graph);
  const bool graphOnly = stage == "graph";
  if (!graphOnly || stop.given()) {
    const bool changesShown = stage.empty() || stage == "passes" || options.moment.given();
    if (const std::string problem =
            explain::runPasses(subject, stop, options.disabled, changesShown);
        !problem.empty())
      throw UsageError(problem);
  }
  if (!graphOnly && !(stage == "passes" && stop.given())) compileWithin(subject, options);
  if (stage.empty() && !stop.given())
    subject.graph = subject.elaborated;  // a page shows the program's own graph
  if (page) {
    write(pageOf(stage, subject, options.program.file), options.output);
  } else {
    const bool cuda = stage == "kernels" && options.device == "gpu" && options.format == "text";
    if (cuda)
      write(gpuKernels(subject, gpuOptions(options)), options.output);
    else
      write(options.format == "dot" ? dotOf(stage, subject, options.operations)
                                    : textOf(stage, subject, options),
            options.output);
  }
  return kOk;
}

}  // namespace

void addExplainCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "explain an error code, or show what became of a program");
  addProgramOptions(*command, options->program, true);
  command->add_option("--format", options->format, "how it is shown")
      ->check(CLI::IsMember({"text", "dot", "html"}))
      ->type_name("text|dot|html");
  command->add_option("--device", options->device, "whose kernels, as text (default: cpu)")
      ->check(CLI::IsMember({"cpu", "gpu"}))
      ->type_name("cpu|gpu");
  command
      ->add_option("--html", options->html,
                   "write a page for the browser; without a stage, of all of them")
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "where to write; stdout without it")
      ->type_name("FILE");
  command
      ->add_option("--before", options->moment.before,
                   "the program as it is before this pass (`simplify:2`: its second run)")
      ->type_name("PASS");
  command
      ->add_option("--after", options->moment.after,
                   "the program as this pass leaves it; with --before: what it changed")
      ->type_name("PASS");
  command->add_option("--disable-pass", options->disabled, "leave out a pass; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_flag("--operations", options->operations,
                    "in a graph's dot: every operation, not just tensors");
  command
      ->add_option("--memory-limit", options->memoryLimit,
                   "compile for this much memory, as `rlc run` does")
      ->type_name("SIZE");
  command
      ->add_option("--matmul-precision", options->precision,
                   "of kernels, as `rlc run` has it (default: f32)")
      ->check(CLI::IsMember({"f32", "tf32", "bf16"}))
      ->type_name("f32|tf32|bf16");
  command->footer(kExplainExamples);
  command->callback([options, &status] { status = explain(*options); });
}

}  // namespace rlc::tools
