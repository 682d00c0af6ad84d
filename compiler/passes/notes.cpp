#include "compiler/passes/notes.h"

namespace rlc::passes {

void Notes::count(int number, const std::string& what) {
  if (number == 0) return;
  did({}, std::to_string(number) + (number == 1 ? " node " : " nodes ") + what);
}

}  // namespace rlc::passes
