// Which part of a buffer some code touches, as far as its index expressions tell.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "jit/cpu/rewrite.h"

namespace rlc::gpu {

// An index as base + inside: `base` is made of variables that are fixed for the code in question,
// `inside` of those that it binds.
struct SplitIndex {
  std::vector<std::pair<loops::Expr, int64_t>> base;  // terms with their coefficients; no constants
  loops::Expr inside;                                 // I64
};
SplitIndex splitIndex(const loops::Expr& index, const std::set<loops::VarId>& bound);

// Elements [base, base + size) of a buffer.
struct Window {
  loops::Expr base;
  int64_t low = 0;  // what `base` counts of the inside's least value
  int64_t size = 0;
};

// The window that holds all of the indices; none where they have different bases or no known range.
std::optional<Window> windowOf(const std::vector<loops::Expr>& indices,
                               const std::set<loops::VarId>& bound, const cpu::Ranges& ranges);
// An index that the window has been made for, relative to the window.
loops::Expr insideWindow(const loops::Expr& index, const std::set<loops::VarId>& bound,
                         const Window& window);

// What the statements of a block bind: loops' variables and locals.
std::set<loops::VarId> boundIn(const loops::Block& block);
// The buffers that code reads elements of, and those that it stores or adds to or hands to a
// function.
struct Touched {
  std::set<loops::BufferId> loaded, written;
  void add(const loops::Stmt& stmt);  // and all in it
};
// Every index by which the block touches each buffer.
std::map<loops::BufferId, std::vector<loops::Expr>> indicesOf(const loops::Block& block);
// Ranges of all loops' variables, and of what lanes loops define first of all, where bounds have
// some.
cpu::Ranges loopRanges(const loops::Block& block);
// Of a loop each time that it runs, at most; none where its bounds tell none.
std::optional<int64_t> mostIterations(const loops::Stmt& loop, const cpu::Ranges& ranges);

}  // namespace rlc::gpu
