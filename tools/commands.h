// The commands of rlc, one file each. A command declares its options on `app` and, when it is the
// one called, sets `status`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli.h"
#include "tools/device.h"

namespace rlc::tools {

void addRunCommand(CLI::App& app, int& status);
void addCheckCommand(CLI::App& app, int& status);
void addEvalCommand(CLI::App& app, int& status);
void addExplainCommand(CLI::App& app, int& status);
void addBenchCommand(CLI::App& app, int& status);
void addFormatCommand(CLI::App& app, int& status);
void addBuildCommand(CLI::App& app, int& status);
void addProfileCommand(CLI::App& app, int& status);
void addReplCommand(CLI::App& app, int& status);
void addLspCommand(CLI::App& app);  // ends the process by itself

// Options of several commands, checked: UsageError says what is allowed.
struct RunSettings {
  std::string seed = "0", threads, vectorWidth, device = "auto";
  std::vector<std::string> disabledPasses;
  std::string memoryLimit;
  std::string matmulPrecision = "f32";
  bool timePasses = false;
  bool check = false;  // each fault at its own line and point, whatever is left out for that
  std::string deviceName() const;
  int lanesOfBlock() const;     // 0: not given
  int64_t memoryBytes() const;  // 0: not given
  DeviceOptions deviceOptions() const;
};
// "512M", "1.5G", "64KiB", "1000000": bytes. Throws UsageError.
int64_t parseSize(const std::string& option, const std::string& text);
void addRunSettings(CLI::App& app, RunSettings& settings);
void addCompileSettings(
    CLI::App& app,
    RunSettings& settings);  // those of them that tell what is compiled, whatever runs it

}  // namespace rlc::tools
