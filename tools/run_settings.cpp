#include <charconv>

#include "compiler/passes/pipeline.h"
#include "tools/commands.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

constexpr uint64_t kMaxThreads = 1024;

bool parseWhole(const std::string& text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

void addRunSettings(CLI::App& app, RunSettings& settings) {
  app.add_option("--seed", settings.seed, "the seed of all draws (default: 0)")
      ->type_name("N")
      ->take_last();
  app.add_option("--device", settings.device, "interp, cpu, gpu or auto (default: auto)")
      ->type_name("DEVICE")
      ->take_last();
  app.add_option("--threads", settings.threads, "how many threads (default: one a core)")
      ->type_name("N")
      ->take_last();
  // For tests: every width gives right results, the host's own is the fastest.
  app.add_option("--vector-width", settings.vectorWidth)->group("")->take_last();
  app.add_option("--disable-pass", settings.disabledPasses,
                 "leave an optimization out; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_flag("--time-passes", settings.timePasses, "how long each optimization took, on stderr");
}

std::string RunSettings::deviceName() const {
  for (const char* known : {"interp", "cpu", "gpu", "auto"})
    if (device == known) return device;
  throw UsageError("there is no device `" + device + "`: interp, cpu, gpu or auto");
}

uint64_t RunSettings::seedValue() const {
  uint64_t value = 0;
  if (!parseWhole(seed, value))
    throw UsageError("--seed takes an integer from 0 to 18446744073709551615, not `" + seed + "`");
  return value;
}

DeviceOptions RunSettings::deviceOptions() const {
  DeviceOptions options;
  options.seed = seedValue();
  options.threads = threadCount();
  options.timePasses = timePasses;
  options.vectorWidth = lanesOfBlock();
  for (const std::string& pass : disabledPasses) {
    const std::string problem = passes::unknownPass(pass);
    if (!problem.empty()) throw UsageError(problem);
    options.disabledPasses.push_back(pass);
  }
  return options;
}

int RunSettings::threadCount() const {
  if (threads.empty()) return 0;
  uint64_t value = 0;
  if (!parseWhole(threads, value) || value < 1 || value > kMaxThreads)
    throw UsageError("--threads takes an integer from 1 to " + std::to_string(kMaxThreads) +
                     ", not `" + threads + "`");
  return static_cast<int>(value);
}

int RunSettings::lanesOfBlock() const {
  if (vectorWidth.empty()) return 0;
  for (const int width : {1, 4, 8, 16, 32})
    if (vectorWidth == std::to_string(width)) return width;
  throw UsageError("--vector-width takes 1, 4, 8, 16 or 32, not `" + vectorWidth + "`");
}

}  // namespace rlc::tools
