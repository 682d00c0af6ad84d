#include "tools/config.h"

#include <CLI/CLI.hpp>
#include <cstring>
#include <fstream>
#include <sstream>

#include "tools/status.h"

namespace rlc::tools {

namespace {

constexpr std::streamsize kMaxConfigBytes = 1 << 20;

std::string readText(const std::string& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw UsageError("can't read the configuration file `" + path + "`: " + std::strerror(errno));
  std::string text(static_cast<size_t>(kMaxConfigBytes) + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  if (in.bad() || (text.empty() && !in.eof()))
    throw UsageError("can't read the configuration file `" + path + "`");
  if (in.gcount() > kMaxConfigBytes)
    throw UsageError("the configuration file `" + path + "` is larger than 1 MiB");
  if (text.find('\0') != std::string::npos)
    throw UsageError("the configuration file `" + path + "` is not text");
  return text;
}

std::string valueText(const std::vector<std::string>& inputs) {
  if (inputs.size() == 1) return inputs.front();
  std::string text = "[";
  for (const std::string& input : inputs) text += (text.size() > 1 ? ", " : "") + input;
  return text + "]";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> readConfig(const std::string& path) {
  std::istringstream in(readText(path));
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_config(in);
  } catch (const CLI::Error& error) {
    throw UsageError("the configuration file `" + path + "` is not TOML: " + error.what());
  }
  std::vector<std::pair<std::string, std::string>> params;
  for (const CLI::ConfigItem& item : items) {
    if (item.name == "++" || item.name == "--") continue;  // where a section begins and ends
    if (item.inputs.empty())
      throw UsageError("the configuration file `" + path + "` has no value for `" + item.name +
                       "`");
    params.emplace_back(item.fullname(), valueText(item.inputs));
  }
  return params;
}

}  // namespace rlc::tools
