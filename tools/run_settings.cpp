#include <CLI/CLI.hpp>
#include <charconv>

#include "compiler/passes/pipeline.h"
#include "tools/commands.h"
#include "tools/program.h"

namespace rlc::tools {

void addCompileSettings(CLI::App& app, RunSettings& settings) {
  app.add_option("--disable-pass", settings.disabledPasses,
                 "leave an optimization out; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--memory-limit", settings.memoryLimit,
                 "the memory that tensors may take (512M, 2G); what is more is computed again or "
                 "moves to a file")
      ->type_name("SIZE")
      ->take_last();
  app.add_option(
         "--matmul-precision", settings.matmulPrecision,
         "what factors of products of f32 may be rounded to: f32 (not at all), tf32 (10 bits, "
         "on a GPU) or bf16 (7 bits, where that is faster)")
      ->type_name("TYPE")
      ->take_last();
}

void addRunSettings(CLI::App& app, RunSettings& settings) {
  addSeedAndThreads(app, settings.seed, settings.threads);
  app.add_option("--device", settings.device, "interp, cpu, gpu or auto (default: auto)")
      ->type_name("DEVICE")
      ->take_last();
  // For tests: every width gives right results, the host's own is the fastest.
  app.add_option("--vector-width", settings.vectorWidth)->group("")->take_last();
  addCompileSettings(app, settings);
  app.add_flag("--time-passes", settings.timePasses, "how long each optimization took, on stderr");
}

std::string RunSettings::deviceName() const {
  for (const char* known : {"interp", "cpu", "gpu", "auto"})
    if (device == known) return device;
  throw UsageError("there is no device `" + device + "`: interp, cpu, gpu or auto");
}

DeviceOptions RunSettings::deviceOptions() const {
  DeviceOptions options;
  options.seed = parseSeed(seed);
  options.threads = parseThreads(threads);
  options.timePasses = timePasses;
  options.vectorWidth = lanesOfBlock();
  options.memoryLimit = memoryBytes();
  options.matmul = parseMatmulPrecision(matmulPrecision);
  for (const std::string& pass : disabledPasses) {
    const std::string problem = passes::unknownPass(pass);
    if (!problem.empty()) throw UsageError(problem);
    options.disabledPasses.push_back(pass);
  }
  if (check)
    for (const std::string& pass : passes::passesThatMergePoints())
      options.disabledPasses.push_back(pass);
  return options;
}

MatmulPrecision parseMatmulPrecision(const std::string& name) {
  if (name == "f32") return MatmulPrecision::F32;
  if (name == "tf32") return MatmulPrecision::Tf32;
  if (name == "bf16") return MatmulPrecision::Bf16;
  throw UsageError("there is no precision `" + name + "` of matrix products: f32, tf32 or bf16");
}

int64_t parseSize(const std::string& option, const std::string& text) {
  static constexpr struct {
    const char* unit;
    double factor;
  } kUnits[] = {{"", 1},       {"B", 1},         {"k", 1e3},          {"K", 1e3},
                {"M", 1e6},    {"G", 1e9},       {"T", 1e12},         {"kB", 1e3},
                {"KB", 1e3},   {"MB", 1e6},      {"GB", 1e9},         {"TB", 1e12},
                {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && number > 0)
    for (const auto& [unit, factor] : kUnits)
      if (std::string_view(end, static_cast<size_t>(text.data() + text.size() - end)) == unit &&
          number * factor >= 1 && number * factor < 1e18)
        return static_cast<int64_t>(number * factor);
  throw UsageError(option + " takes a size such as 512M or 2GiB, not `" + text + "`");
}

int64_t RunSettings::memoryBytes() const {
  return memoryLimit.empty() ? 0 : parseSize("--memory-limit", memoryLimit);
}

int RunSettings::lanesOfBlock() const {
  if (vectorWidth.empty()) return 0;
  for (const int width : {1, 4, 8, 16, 32})
    if (vectorWidth == std::to_string(width)) return width;
  throw UsageError("--vector-width takes 1, 4, 8, 16 or 32, not `" + vectorWidth + "`");
}

}  // namespace rlc::tools
