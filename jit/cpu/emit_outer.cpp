#include "jit/cpu/emitter.h"

namespace rlc::cpu {

bool Emitter::outerProduct(const loops::Stmt&) { return false; }

}  // namespace rlc::cpu
