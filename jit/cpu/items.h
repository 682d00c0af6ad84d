// The statements of a block as items that can change places, and which of them wait for which.
#pragma once

#include <set>
#include <vector>

#include "compiler/loops/ir.h"
#include "jit/cpu/rewrite.h"

namespace rlc::cpu {

// Bytes of the arena (`own` is -1) or of a buffer that is placed apart from it.
struct Bytes {
  loops::BufferId own = -1;
  int64_t begin = 0, end = 0;
};

// Statements that stay together, under one condition. Locals that they bind are used nowhere else.
struct Item {
  loops::Expr guard;  // null: none
  loops::Block statements;
  std::vector<Bytes> reads, writes;
  std::set<loops::BufferId> own;  // storage that each thread has of its own
  bool barrier = false;           // nothing may pass it, nor may another thread run it
  bool checks = false;            // whether it may fail
};
using Items = std::vector<Item>;
using Indices = std::vector<size_t>;

constexpr size_t kMostItems = 500;  // that are compared with each other

Indices allOf(const Items& items);

// Takes the statements out of the body of a sequential loop, in their order. `around`: what is
// known of the variables of all loops around it, which alone may say whether a guard holds.
// What a local hands from one item to a loop in another goes through memory.
Items takeItems(loops::Program& program, loops::Block& block, const Ranges& around);

// Puts some of them behind a block, each under its guard; the guards of neighbours are asked once.
void putItems(loops::Block& block, Items& items, const Indices& which);

// [item] the earlier ones that it has to wait for.
std::vector<Indices> waitsOf(const Items& items);

// Some items and all of a list that they wait for, directly or not.
std::set<size_t> neededBy(const std::vector<Indices>& waits, const Indices& seeds,
                          const std::set<size_t>& list);

// Whether one condition is around both, or none.
bool sameGuard(const Item& a, const Item& b);

}  // namespace rlc::cpu
