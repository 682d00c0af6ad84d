// A plain evaluator of loop programs: what every statement means, one lane after the other. The
// oracle of this folder's tests.
#pragma once

#include <vector>

#include "compiler/loops/ir.h"
#include "jit/cpu/executable.h"

namespace rlc::cpu {

struct Emitted {
  int sink;
  std::vector<int64_t> coordinates;
  bool operator==(const Emitted&) const = default;
};

struct ReferenceRun {
  Outcome outcome;
  std::vector<Emitted> emitted;
};

// Runs on `arena` (Program::arenaBytes) as compiled code would.
ReferenceRun runReference(const loops::Program& program, char* arena, const char* parameters,
                          uint64_t seed);

double loadNumber(DType type, const char* at);  // integers, too: exact below 2^53
void storeNumber(DType type, char* at, double value);

}  // namespace rlc::cpu
