// The kernels of a loop program: its outermost parallel and lanes loops, and the stretches in
// between that run in order.
#pragma once

#include <string>
#include <vector>

#include "compiler/explain/subject.h"

namespace rlc::explain {

struct Kernel {
  std::string loops;  // around it: "for i"
  std::string shape;  // its own: "threads blocks of b > lanes b > for t"; "" for what runs in order
  std::vector<const loops::Stmt*> statements;  // one loop, or what runs in order up to the next one
  std::vector<loops::BufferId> reads, writes;
  std::vector<diagnostics::Span>
      spans;  // of the program's own equations that it runs, in its order
  int stores = 0, draws = 0, operations = 0;
  double share = 0.0;    // of the program's arithmetic and memory traffic, about
  bool passing = false;  // part of a stretch that takes next to no time, as initial weights do
};

std::vector<Kernel> kernelsOf(const Subject& subject);

// "about 84 % of the work"
std::string shareText(const Kernel& kernel);

// What is shown as one: a kernel, or several in a row that take next to no time. Last exclusive.
struct Stretch {
  size_t first = 0, last = 0;
  bool passing = false;
  std::string title() const;  // "k5", "k1 to k13"
};

std::vector<Stretch> stretchesOf(const std::vector<Kernel>& kernels);

}  // namespace rlc::explain
