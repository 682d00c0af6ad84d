#include <gtest/gtest.h>

#include <cmath>

#include "tools/repl/array_text.h"
#include "tools/repl/chart.h"
#include "tools/repl/number_text.h"

namespace rlc::repl {
namespace {

DenseTensor floats(std::vector<int64_t> shape, const std::vector<double>& values,
                   DType type = DType::F32) {
  DenseTensor tensor{type, std::move(shape), {}};
  for (const double value : values) tensor.elements.push_back(Scalar::ofFloat(type, value));
  return tensor;
}

DenseTensor ints(std::vector<int64_t> shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  DenseTensor tensor{DType::I32, std::move(shape), {}};
  for (int64_t i = 0; i < count; ++i) tensor.elements.push_back(Scalar::ofInt(DType::I32, i));
  return tensor;
}

// Expectations are what NumPy 1.24 prints.
TEST(Printing, FloatsHaveTheDigitsTheyNeed) {
  EXPECT_EQ(arrayText(floats({3}, {1, 0.5, -0.125})), "[ 1.     0.5   -0.125]");
  EXPECT_EQ(arrayText(floats({2}, {0.1, 1.0 / 3})), "[0.1        0.33333334]");
  EXPECT_EQ(arrayText(floats({2}, {0.1, 1.0 / 3}, DType::F64)), "[0.1        0.33333333]");
  EXPECT_EQ(arrayText(floats({2}, {1e-5, 1})), "[1.e-05 1.e+00]");
  EXPECT_EQ(arrayText(floats({2}, {1.5e10, 1})), "[1.5e+10 1.0e+00]");
  EXPECT_EQ(arrayText(floats({4}, {NAN, INFINITY, -INFINITY, 2.5})), "[ nan  inf -inf  2.5]");
  EXPECT_EQ(arrayText(floats({2}, {0, 0})), "[0. 0.]");
}

TEST(Printing, NestedArraysAreAligned) {
  EXPECT_EQ(arrayText(ints({2, 2, 3})),
            "[[[ 0  1  2]\n  [ 3  4  5]]\n\n [[ 6  7  8]\n  [ 9 10 11]]]");
  EXPECT_EQ(arrayText(ints({0})), "[]");
  EXPECT_EQ(arrayText(ints({2, 0})), "[[]\n []]");
}

TEST(Printing, LongRowsAreWrapped) {
  EXPECT_EQ(arrayText(ints({12}), {.width = 20}), "[ 0  1  2  3  4  5\n  6  7  8  9 10 11]");
}

TEST(Printing, TheMiddleOfLongOnesIsLeftOut) {
  EXPECT_EQ(arrayText(ints({1001})), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(arrayText(ints({8, 3}), {.inFull = 10, .edge = 2}),
            "[[ 0  1  2]\n [ 3  4  5]\n ...\n [18 19 20]\n [21 22 23]]");
}

TEST(Printing, Sparklines) {
  const std::vector<double> values = {0, 1, 2, 3, NAN, 7};
  EXPECT_EQ(sparkline(values, 60, true), "▁▂▃▄ █");
  EXPECT_EQ(sparkline(values, 60, false), "_.-~ #");
  const std::vector<double> same = {2, 2};
  EXPECT_EQ(sparkline(same, 60, false), "==");
  std::vector<double> many(1000, 0.0);
  many.back() = 1;
  EXPECT_EQ(sparkline(many, 10, false), "_________#");
}

TEST(Printing, PlotsHaveAxes) {
  const Curve line{"x", {0, 1, 2}, {0, 5, 10}};
  EXPECT_EQ(textPlot(std::vector{line}, "t", 14, 3),
            "10 |         *\n   |     *\n 0 |*\n   +----------\n    0    t = 2\n");
  const Curve none{"x", {0}, {NAN}};
  EXPECT_EQ(textPlot(std::vector{none}, "t", 14, 3), "there is no finite value to plot\n");
}

TEST(Printing, ShortNumbers) {
  EXPECT_EQ(shortNumber(0.1), "0.1");
  EXPECT_EQ(shortNumber(1.0 / 3), "0.3333");
  EXPECT_EQ(shortNumber(-INFINITY), "-inf");
}

}  // namespace
}  // namespace rlc::repl
