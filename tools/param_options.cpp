#include "tools/param_options.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "tools/config.h"
#include "tools/status.h"

namespace rlc::tools {

namespace {

constexpr uint64_t kMaxThreads = 1024;

bool parseWhole(const std::string& text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::pair<std::string, std::string> splitAssignment(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos && text.ends_with(".rl"))
    throw UsageError("`" + text + "`: one program at a time, then settings such as name=value");
  if (equals == std::string::npos) throw UsageError("`" + text + "` is not of the form name=value");
  std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  if (name.empty()) throw UsageError("`" + text + "` has no name before the `=`");
  if (value.empty()) throw UsageError("`" + text + "` has no value after the `=`");
  return {std::move(name), std::move(value)};
}

}  // namespace

void addParamOptions(CLI::App& app, ParamOptions& options) {
  app.add_option("SETTINGS", options.assignments, "values of params: name=value ...");
  app.add_option("--set", options.sets, "the value of a param; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--config", options.config,
                 "values of params from a TOML file; --set and name=value win")
      ->type_name("FILE.toml");
}

void settleConfig(ParamOptions& options) {
  if (options.config.empty()) return;
  options.configured = readConfig(options.config);
  options.config.clear();
}

ParamTexts paramOverrides(const ParamOptions& options) {
  ParamTexts overrides;
  auto set = [&](std::pair<std::string, std::string> entry) {
    std::erase_if(overrides, [&](const auto& other) { return other.first == entry.first; });
    overrides.push_back(std::move(entry));
  };
  ParamOptions settled = options;
  settleConfig(settled);
  for (auto& entry : settled.configured) set(std::move(entry));
  for (const std::string& text : options.sets) set(splitAssignment(text));
  for (const std::string& text : options.assignments) set(splitAssignment(text));
  return overrides;
}

void addSeedAndThreads(CLI::App& app, std::string& seed, std::string& threads) {
  app.add_option("--seed", seed, "the seed of all draws (default: 0)")->type_name("N")->take_last();
  app.add_option("--threads", threads, "how many threads (default: one a core)")
      ->type_name("N")
      ->take_last();
}

uint64_t parseSeed(const std::string& seed) {
  uint64_t value = 0;
  if (!parseWhole(seed, value))
    throw UsageError("--seed takes an integer from 0 to 18446744073709551615, not `" + seed + "`");
  return value;
}

int parseThreads(const std::string& threads) {
  if (threads.empty()) return 0;
  uint64_t value = 0;
  if (!parseWhole(threads, value) || value < 1 || value > kMaxThreads)
    throw UsageError("--threads takes an integer from 1 to " + std::to_string(kMaxThreads) +
                     ", not `" + threads + "`");
  return static_cast<int>(value);
}

}  // namespace rlc::tools
