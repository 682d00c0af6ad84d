// How much arithmetic and memory traffic a program asks for, counted from its loops without running
// it.
#pragma once

#include "compiler/loops/executions.h"

namespace rlc::loops {

struct Work {
  double flops = 0;  // floating-point operations: an FMA is two, every other operation one, a
                     // comparison or selection none
  // Of arrays, each load and store of an element that a loop asks for, wherever the array lies: in
  // the arena, in memory of a thread or of all, a lane's own. What a lane has only one of is in a
  // register and moves nothing. Of runtime functions products count.
  double loadBytes = 0;
  double storeBytes = 0;
  double arenaStoreBytes = 0;  // of `storeBytes`
  double doubtfulFlops = 0;  // of `flops`: those that may not have been asked for (Count::doubtful)
  bool exact = true;  // false: a loop's bounds depend on data, and it was counted as one iteration

  Work& operator+=(const Work& other);
  Work times(double count) const;
};

// The work of a program and of its parts, over the whole run; the program stays as it is meanwhile.
class WorkCount {
 public:
  explicit WorkCount(const Program& program) : program_(program), runs_(executionsOf(program)) {}

  Work total() const;
  Work of(const Stmt& part) const;

 private:
  Work of(const Block& body) const;
  Work once(const Stmt& stmt) const;  // its own expressions

  const Program& program_;
  Executions runs_;
};

}  // namespace rlc::loops
