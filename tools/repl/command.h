// The commands of the prompt: `:name argument`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/repl/repl.h"

namespace rlc::repl {

struct Command {
  std::string_view name, argument, help;
  enum class Argument { None, Expression, File, Param, Name, Device, Other } takes;
  void (*run)(Repl& repl, const std::string& argument);

  static std::span<const Command> all();
  static const Command* find(std::string_view name);
};

}  // namespace rlc::repl
