// Packs the arena: which bytes every buffer has, and the peak, before anything runs.
#pragma once

#include <vector>

#include "compiler/loops/lower.h"

namespace rlc::loops {

// What the planner must know of each buffer.
struct BufferUse {
  bool keep = false;  // read by the host: apart from all others for the whole run
  bool temporary =
      false;  // written anew in each iteration of the outermost loop before it is read there
};

// Assigns `offset` to every Arena buffer (multiples of 64) and sets arenaBytes. Buffers that are
// never alive at once share bytes.
MemoryPlan planMemory(Program& program, const std::vector<BufferUse>& uses);

// Where a mapped file may begin: a multiple of any page size in use.
constexpr int64_t kMappedAlignment = 65536;

// Places the buffers anew, so that at most `limit` bytes of the arena must be memory: the largest
// of those alive at the peak move behind `residentBytes`, into a part that may be a mapped file.
// False: even without all of them the limit is too small.
bool fitMemory(Program& program, MemoryPlan& plan, int64_t limit);

}  // namespace rlc::loops
