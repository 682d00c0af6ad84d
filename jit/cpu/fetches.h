// What loops ask the system for of a mapped file, ahead of its use.
//
// Where the memory is short, a page of the file is gone by the time that it is read again. The
// system then reads what lies around it, in file order, as far as its disk's settings say; a loop
// that goes back through the steps is served badly by that. So a loop that goes through a tensor is
// cut into strips of some hundred kilobytes, and at the beginning of a strip it asks for what the
// next one touches, in its own direction: the disk works while the strip is computed.
//
// Advice only: a range that is too long or too short changes no result.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "compiler/loops/expressions.h"
#include "compiler/loops/ir.h"

namespace rlc::cpu {

struct Plan;

struct Fetch {
  loops::BufferId buffer = -1;
  loops::Linear first;    // the element that an iteration begins with, in the variables of the loop
                          // and of those around it
  int64_t step = 0;       // of it, from one iteration to the next
  int64_t spanBytes = 0;  // what an iteration touches from there
  int64_t every = 1;      // iterations that are asked for at once, a power of two
  int64_t pieces = 1;     // such ranges, one in each band where all lanes of a row are touched
  int64_t pieceBytes = 0;  // from the beginning of one to that of the next
};

struct LoopFetches {
  int64_t every = 1;  // iterations of a strip: the fewest of its fetches'
  std::vector<Fetch> of;
};

struct FetchPlan {
  struct Bytes {
    int64_t begin, end;  // of the arena
  };
  std::unordered_map<const loops::Stmt*, LoopFetches> loops;
  std::vector<Bytes> pages;  // that nothing touches without having asked for them
  bool scratch = false;      // the same of all that threads work with
  // By Lanes loop: what each block of lanes begins without.
  std::unordered_map<const loops::Stmt*, std::vector<loops::BufferId>> dropped;
};

// For tensors behind Program::residentBytes, and what threads work with where that lies in a file.
FetchPlan planFetches(const loops::Program& program, const Plan& plan);

}  // namespace rlc::cpu
