#include "tools/config.h"

#define TOML_ENABLE_UNRELEASED_FEATURES 1  // keys such as γ, which TOML 1.0 has in quotes only
#include <toml++/toml.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "jit/runtime/format.h"
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

using Params = std::vector<std::pair<std::string, std::string>>;

// What is wrong with a file, and where.
[[noreturn]] void refuse(const std::string& path, const toml::source_position& at,
                         const std::string& why) {
  throw UsageError("the configuration file `" + path + "`, line " + std::to_string(at.line) +
                   ", column " + std::to_string(at.column) + ": " + why);
}

// As a command line has it.
std::string valueText(const std::string& path, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  std::string text;
  if (const auto* number = node.as_floating_point()) {
    runtime::appendFloat(text, number->get());
    return text;
  }
  const auto* list = node.as_array();
  if (list == nullptr)
    refuse(path, node.source().begin, "a param is a number, a truth value, a text or a list");
  for (const toml::node& part : *list) text += (text.empty() ? "" : ", ") + valueText(path, part);
  return "[" + text + "]";
}

void collect(const std::string& path, const toml::table& table, const std::string& prefix,
             Params& params) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* inner = node.as_table())
      collect(path, *inner, name + ".", params);
    else
      params.emplace_back(name, valueText(path, node));
  }
}

}  // namespace

Params readConfig(const std::string& path) {
  Params params;
  try {
    collect(path, toml::parse(readText(path), path), "", params);
  } catch (const toml::parse_error& error) {
    refuse(path, error.source().begin, "this is no TOML: " + std::string(error.description()));
  }
  return params;
}

}  // namespace rlc::tools
