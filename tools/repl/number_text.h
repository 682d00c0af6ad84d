// The numbers of one tensor as NumPy prints them: of one width, with as many digits as they need,
// at most eight behind the point.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/types/scalar.h"

namespace rlc::repl {

// Texts of equal length, by element; all elements have the same type.
std::vector<std::string> numberTexts(std::span<const Scalar> elements);

// Of one number: at most `digits` significant ones.
std::string shortNumber(double value, int digits = 4);

}  // namespace rlc::repl
