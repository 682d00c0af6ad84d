// How tensors lie in a mapped file, and in memory where their rows are long: in bands.
//
// In memory a tensor's lanes are innermost: all lanes of a row, then the next row. A kernel takes a
// block of lanes through all rows (the steps of an episode), then the next block: of every page it
// touches a few bytes, and where pages don't stay the whole tensor is read again for each block. A
// band holds all rows of one block of lanes, one behind the other, so that such a walk goes through
// consecutive pages, and what the next block needs can be fetched while this one is worked on. In
// memory the rows of a band lie side by side in a cache, where rows that are some power of two
// apart would share few of its sets.
//
// The bands are a permutation of a tensor's elements within its bytes, and the last step of code
// generation applies it: loops, chunks and the order of sums are decided before, without them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::cpu {

struct Plan;

struct Bands {
  int64_t lanes = 0, rows = 0;  // of the tensor
  int64_t width = 0;            // lanes of a band; the last has what is left; 0: no bands
  explicit operator bool() const { return width > 0; }
};

int64_t bandCount(const Bands& bands);

// Where an element lies that without bands would lie at `element`.
int64_t placeIn(const Bands& bands, int64_t element);

struct BandPlan {
  std::vector<Bands> of;  // [buffer]
  // By Lanes loop: the tensors that it takes through all rows, and that it fetches ahead, the next
  // band while it works on one; larger bands are fetched in pieces (fetches.h).
  std::unordered_map<const loops::Stmt*, std::vector<loops::BufferId>> fetched;
  // Of Lanes loops that begin at 0 or later, where they are known.
  std::unordered_map<const loops::Stmt*, int64_t> ends;
};

// Bands for the tensors behind Program::residentBytes that some loop takes through all rows, and
// for those with long rows in memory that all loops do, as wide as the widest block of lanes (in
// memory: of those that touch it).
BandPlan planBands(const loops::Program& program, const Plan& plan);

// Whether the lanes of each block of `loop`, `width` of them, address one row of one band by
// `index`, in order.
bool staysInBand(const Bands& bands, const loops::Expr& index, const loops::Stmt& loop,
                 int64_t width);

// The row of the buffer that `index` addresses in each lane of `loop`, where it is known to be one;
// else null.
loops::Expr rowIn(const BandPlan& plan, loops::BufferId buffer, const loops::Expr& index,
                  const loops::Stmt& loop);

}  // namespace rlc::cpu
