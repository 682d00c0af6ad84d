// One scalar without its type: what the interpreter stores by the million.
#pragma once

#include <cstdint>

#include "compiler/types/scalar.h"

namespace rlc::interpreter {

// As in Scalar: Bool and integers in `i`, wrapped to their width; floats in `f`, rounded to their
// precision.
union Cell {
  int64_t i;
  double f;
};

inline Cell intCell(int64_t value) {
  Cell cell;
  cell.i = value;
  return cell;
}

inline Cell floatCell(double value) {
  Cell cell;
  cell.f = value;
  return cell;
}

inline Cell toCell(const Scalar& scalar) {
  return scalar.isFloating() ? floatCell(scalar.f) : intCell(scalar.i);
}

inline Scalar toScalar(DType type, Cell cell) {
  Scalar scalar;
  scalar.type = type;
  if (isFloat(type)) {
    scalar.f = cell.f;
  } else {
    scalar.i = cell.i;
  }
  return scalar;
}

}  // namespace rlc::interpreter
