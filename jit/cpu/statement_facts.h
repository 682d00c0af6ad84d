// What statements bind and write, for passes that ask for it again and again.
#pragma once

#include <map>
#include <set>

#include "jit/cpu/walk.h"

namespace rlc::cpu {

// Of a program whose statements stay as they are meanwhile.
class StatementFacts {
 public:
  struct Facts {
    std::set<VarId> bound;      // by it or inside
    std::set<VarId> differing;  // of a loop over lanes: its variable, what its body gives values,
                                // and what loops with such bounds count by
    std::set<BufferId> written;
  };

  explicit StatementFacts(const Program& program) : program_(program) {}

  const Facts& of(const Stmt& stmt);

  // Whether it may change a buffer's numbers.
  bool writes(const Stmt& stmt, BufferId buffer);
  // Whether all of the buffer's bytes that it changes are so under that buffer's name.
  bool writesByName(const Stmt& stmt, BufferId buffer);

 private:
  const Program& program_;
  std::map<const Stmt*, Facts> facts_;
};

}  // namespace rlc::cpu
