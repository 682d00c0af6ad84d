// The effects of statements, for passes that ask for them again and again.
#pragma once

#include <map>

#include "compiler/loops/effects.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

// Of a program whose statements stay as they are meanwhile.
class StatementEffects {
 public:
  explicit StatementEffects(const Program& program) : program_(program) {}

  const loops::Effects& of(const Stmt& stmt);

  // Whether it may change a buffer's numbers.
  bool writes(const Stmt& stmt, BufferId buffer);
  // Whether all of the buffer's bytes that it changes are so under that buffer's name.
  bool writesByName(const Stmt& stmt, BufferId buffer);

 private:
  const Program& program_;
  std::map<const Stmt*, loops::Effects> known_;
};

}  // namespace rlc::cpu
