// Values of params from a command line and from a file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/cli.h"

namespace rlc::tools {

using ParamTexts = std::vector<std::pair<std::string, std::string>>;  // name, value

struct ParamOptions {
  std::vector<std::string> assignments;  // name=value after the file
  std::vector<std::string> sets;         // --set name=value
  std::string config;                    // --config FILE.toml
  ParamTexts configured;                 // what was read of it
};

void addParamOptions(CLI::App& app, ParamOptions& options);

// Reads the configuration, for all that ask for the params from now on: it may change, or be a
// stream. Throws UsageError.
void settleConfig(ParamOptions& options);
// The configuration's, then the command line's, which win. Throws UsageError.
ParamTexts paramOverrides(const ParamOptions& options);

void addSeedAndThreads(CLI::App& app, std::string& seed, std::string& threads);
// The numbers of --seed and --threads (empty: 0, not given). Throws UsageError.
uint64_t parseSeed(const std::string& text);
int parseThreads(const std::string& text);

}  // namespace rlc::tools
