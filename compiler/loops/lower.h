// From a scheduled graph with storage to loop IR.
#pragma once

#include <vector>

#include "compiler/loops/ir.h"
#include "compiler/schedule/storage.h"

namespace rlc::loops {

struct Lowered {
  Program program;
  std::vector<schedule::Storage> storage;   // [node]
  std::vector<BufferId> bufferOf;           // [node]; -1: no storage
  std::vector<int64_t> parameterOffset;     // [param] in the parameter block
};

// Lowers everything and plans the arena.
Lowered lower(const pdg::Graph& graph, const schedule::Statements& statements, const schedule::Schedule& schedule,
              std::vector<schedule::Storage> storage);

}  // namespace rlc::loops
