// Squares of vectors, transposed in registers.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace rlc::cpu {

using Vectors = std::vector<llvm::Value*>;

// n vectors of n elements, n a power of two: each step exchanges blocks of twice the size.
inline void transpose(llvm::IRBuilder<>& b, Vectors& rows) {
  const size_t n = rows.size();
  for (size_t step = 1; step < n; step *= 2)
    for (size_t i = 0; i < n; ++i) {
      if ((i & step) != 0) continue;
      std::vector<int> low, high;
      for (size_t p = 0; p < n; ++p) {
        const bool upper = (p & step) != 0;
        low.push_back(static_cast<int>(upper ? n + p - step : p));
        high.push_back(static_cast<int>(upper ? n + p : p + step));
      }
      llvm::Value *x = rows[i], *y = rows[i + step];
      rows[i] = b.CreateShuffleVector(x, y, low);
      rows[i + step] = b.CreateShuffleVector(x, y, high);
    }
}

}  // namespace rlc::cpu
