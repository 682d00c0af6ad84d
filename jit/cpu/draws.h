// Kinds of draws, for the files that emit them: how many words they take and which number these
// make.
#pragma once

#include "compiler/loops/ir.h"
#include "jit/cpu/philox_halves.h"
#include "jit/runtime/random_core.h"

namespace rlc::cpu {

using formulas::Number;
using formulas::Word;
using loops::ExprNode;

// The words that an element takes, where neighbouring lanes can share blocks; 0: each has a block
// of its own.
inline int sharedWords(ExprNode::Draw kind, DType type) {
  const bool wide = type == DType::F64;
  switch (kind) {
    case ExprNode::Draw::Uniform01:
      return wide ? 2 : 1;
    case ExprNode::Draw::StandardNormal:
      return wide ? 0 : 2;
    case ExprNode::Draw::UniformInt:
      return 1;
    case ExprNode::Draw::StandardGamma:
      break;
  }
  return 0;
}

inline llvm::Value* numberOf(ExprNode::Draw kind, DType type, const std::vector<Word>& words,
                             Word lo, Word hi) {
  using runtime::math::F32;
  using runtime::math::F64;
  if (kind == ExprNode::Draw::UniformInt) return runtime::uniformIntFromWord(words[0], lo, hi).v;
  if (kind == ExprNode::Draw::StandardNormal)
    return runtime::normalFromWords<F32>(words[0], words[1]).v;
  if (type == DType::F64)
    return runtime::uniformFromWord<F64>(runtime::joinWords(words[0], words[1])).v;
  return runtime::uniformFromWord<F32>(words[0]).v;
}

}  // namespace rlc::cpu
