// A program as `rlc build` leaves it in an executable: everything but the code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jit/host/plan.h"

namespace rlc::host {

struct SourceText {
  std::string path, text;  // both empty where no message points into the file
};

// A param of the source; values are as text.
struct ParamText {
  std::string name, doc, type, value;
  int number = -1;  // in Plan::parameters; -1: its value is part of the code
};

struct BuiltProgram {
  std::string name;     // of the source file
  std::string version;  // of the compiler
  std::vector<std::string>
      features;  // of the processor that the code needs: names of processorFeatures()
  std::vector<SourceText> sources;  // [FileId]
  std::vector<ParamText> params;
  int64_t residentBytes = 0, arenaBytes = 0;
  bool scratchInFile = false;  // as makeExecution has it
  Plan plan;
};

std::string toBytes(const BuiltProgram& program);
// Throws InternalError where the bytes are not those of toBytes of the same version.
BuiltProgram builtProgram(std::string_view bytes);

// The features that can be asked for at run time, by LLVM's names.
std::span<const std::string_view> processorFeatures();
bool processorHas(std::string_view feature);

}  // namespace rlc::host
