// What the code generator decides before it emits anything: how wide each Lanes loop is, which
// values differ between lanes, how parallel loops are cut and where private and partial storage
// lives. No LLVM here.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/loops/ir.h"
#include "jit/cpu/bands.h"
#include "jit/cpu/fetches.h"
#include "jit/cpu/outer.h"
#include "jit/cpu/row_sums.h"

namespace rlc::cpu {

struct PlanOptions {
  int width = 16;           // f32 lanes of a block
  bool forceWidth = false;  // otherwise short loops get narrower blocks
  int vectorBytes = 64;     // of a register
  int64_t maximumChunks = 64;
  bool timeRegions = false;   // see CompileOptions::timeRegions
  bool joinedBlocks = false;  // see join_blocks.h: they have twice as many lanes
  bool cheapMasks = false;  // masked loads and stores cost what plain ones do, so one version of a
                            // block serves all
};

// How an Accumulate with an address that all lanes share reaches memory.
enum class LaneSum : uint8_t {
  Direct,      // the address differs between lanes, or the buffer is private: lane by lane
  Horizontal,  // the block's lanes are combined, then added
  Register,    // one vector of partial results for the whole loop
  Outer,       // by the nest of loops around it, an outer product
  Expanded,    // an array of vectors of partial results for the whole loop
  Rows,        // by the loop around it, a register of elements at a time
};

struct LanesPlan {
  enum class Tail : uint8_t { None, Separate, MaskedBlocks };
  int width = 1;  // 1: a sequential loop
  Tail tail = Tail::Separate;
  std::unordered_map<const loops::Stmt*, LaneSum> sums;  // Accumulates of the body
};

struct ParallelPlan {
  int64_t chunks = 1;                    // 1: a sequential loop
  int64_t operations = 0;                // estimate, all iterations together; 0: one thread's alone
  std::vector<loops::BufferId> fetched;  // by each thread before it begins
  std::vector<loops::VarId> captures;    // scalars from outside, in order
  struct Copy {
    int reduction = 0;   // number in Stmt::reductions
    int64_t offset = 0;  // of the first chunk's copy in the shared scratch, bytes
    int64_t stride = 0;  // from one chunk's copy to the next, bytes
  };
  std::vector<Copy> copies;
};

// Where a private or scratch buffer lives.
struct PrivatePlan {
  enum class Owner : uint8_t {
    Unused,
    Lane,
    Function,
    Program
  };  // Function: the main one or a parallel loop's chunk
  Owner owner = Owner::Unused;
  int width =
      1;  // Lane: of the widest loop that uses it; elements are this many lanes apart at most
  int64_t offset = -1;  // Program: in the shared scratch
};

struct Plan {
  std::unordered_map<const loops::Stmt*, LanesPlan> lanes;
  std::unordered_map<const loops::Stmt*, ParallelPlan> parallel;
  std::vector<PrivatePlan> privates;                           // by BufferId
  std::unordered_map<const loops::Stmt*, OuterProduct> outer;  // by the loop over rows
  std::unordered_map<const loops::Stmt*, RowSums> rowSums;     // likewise
  std::unordered_set<const loops::Stmt*>
      leftByLane;  // loops inside Lanes that lanes leave one by one (Exit)
  bool timeRegions = false;
  std::vector<bool> varying;  // by VarId: differs between the lanes of a block
  std::vector<DType> types;   // by VarId
  int64_t scratchBytes = 0;
  std::unordered_map<const loops::Stmt*, int64_t> polls;  // see polls.h
  BandPlan bands;     // chosen last: nothing above depends on them
  FetchPlan fetches;  // nor on these
};

Plan makePlan(const loops::Program& program, const PlanOptions& options);

// Whether the value of `e` may differ between the lanes of a block.
bool isVarying(const Plan& plan, const loops::Program& program, const loops::Expr& e);

int64_t alignUp(int64_t bytes);  // to 64

}  // namespace rlc::cpu
