// Tensors as NumPy prints them: nested brackets, columns aligned, the middle of long ones elided.
#pragma once

#include <string>

#include "compiler/types/scalar.h"

namespace rlc::repl {

struct ArrayStyle {
  int64_t inFull = 1000;  // elements; of more, `edge` at each end of each axis
  int64_t edge = 3;
  size_t width = 75;  // columns
};

// No line break at the end.
std::string arrayText(const DenseTensor& tensor, const ArrayStyle& style = {});

}  // namespace rlc::repl
