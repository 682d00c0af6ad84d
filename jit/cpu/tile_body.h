// What a loop's body does, as far as tiling needs to know.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "jit/cpu/walk.h"

namespace rlc::cpu {

struct TileBody {
  struct Load {
    BufferId buffer;
    Expr index;
  };

  std::set<VarId> defined;        // loops' variables and locals
  std::map<VarId, int> declared;  // mutable locals, and how many loops are around them
  std::set<VarId> accumulators;   // declared outside an inner loop, assigned in it
  std::map<VarId, int> carried;  // assigned outside inner loops, declared outside of all: how often
  std::set<VarId> steps;         // variables of the inner loops that are not over lanes
  std::vector<const Stmt*> writes;
  std::vector<bool> writeInLoop;
  std::set<BufferId> reads;
  std::vector<Load> innerLoads;  // inside inner loops
  bool lanes = false;            // holds a Lanes loop
  bool plain = true;             // only statements that can be replicated
  bool longLoop = false;         // an inner loop of some length that assigns accumulators
  int64_t lanesTrip = 0;         // of the Lanes loop, 0: unknown
};

TileBody describeBody(const Block& block);

}  // namespace rlc::cpu
