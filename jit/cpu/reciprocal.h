// Division by a number that is known when code is made, as multiplications whose result is the
// correctly rounded quotient.
#pragma once

#include <llvm/ADT/APFloat.h>

#include <array>
#include <optional>

namespace rlc::cpu {

// The nearest number to 1 / divisor, where a quotient can be made from it: it may not overflow what
// it multiplies, and no mantissa may be all ones. None of powers of two, which LLVM divides by
// itself.
std::optional<llvm::APFloat> reciprocalOf(const llvm::APFloat& divisor);

// {high, low}, both with the divisor's sign, whose sum is 1 / divisor to twice the precision, if
// fma(x, high, x * low) is the correctly rounded x / divisor for all x that are no smaller than
// 2^-90 (f64: 2^-900): two operations (Brisebarre and Muller, "Correctly rounded multiplication by
// arbitrary precision constants", IEEE Trans. Computers 57(2), 2008). This is checked for the few x
// whose quotients lie closer to the middle between two numbers than the two operations' error.
// f32 and f64, divisors from 1 to 32.
std::optional<std::array<llvm::APFloat, 2>> reciprocalParts(const llvm::APFloat& divisor);

}  // namespace rlc::cpu
