#include "compiler/interpreter/scalar_eval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/interpreter/testing.h"

namespace rlc::interpreter {
namespace {

const double kInf = std::numeric_limits<double>::infinity();

double onF32(ScalarOp op, double a, double b = 0) {
  const Cell args[] = {floatCell(a), floatCell(b)};
  return evalScalar(op, DType::F32, DType::F32, args).f;
}

int64_t onI32(ScalarOp op, int64_t a, int64_t b = 0) {
  const Cell args[] = {intCell(a), intCell(b)};
  return evalScalar(op, DType::I32, DType::I32, args).i;
}

TEST(ScalarEval, F32RoundsEachOperation) {
  EXPECT_EQ(onF32(ScalarOp::Add, 1.0f, 1e-9), 1.0);
  EXPECT_EQ(onF32(ScalarOp::Div, 1, 3), static_cast<double>(1.0f / 3.0f));
}

TEST(ScalarEval, Bf16RoundsEachOperation) {
  const Cell args[] = {floatCell(1), floatCell(1.0 / 256)};
  EXPECT_EQ(evalScalar(ScalarOp::Add, DType::BF16, DType::BF16, args).f, 1.0);
}

TEST(ScalarEval, IntegersWrap) {
  EXPECT_EQ(onI32(ScalarOp::Add, INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(onI32(ScalarOp::Neg, INT32_MIN), INT32_MIN);
  const Cell args[] = {intCell(200), intCell(100)};
  EXPECT_EQ(evalScalar(ScalarOp::Add, DType::U8, DType::U8, args).i, 44);
}

TEST(ScalarEval, FloorDivisionRoundsDown) {
  EXPECT_EQ(onI32(ScalarOp::FloorDiv, -7, 2), -4);
  EXPECT_EQ(onI32(ScalarOp::Mod, -7, 2), 1);
  EXPECT_EQ(onI32(ScalarOp::Mod, 7, -2), -1);
  EXPECT_EQ(onF32(ScalarOp::FloorDiv, -7, 2), -4);
  EXPECT_EQ(onF32(ScalarOp::Mod, -7, 2), 1);
}

TEST(ScalarEval, TheLeastIntegerOverMinusOneWraps) {
  EXPECT_EQ(onI32(ScalarOp::FloorDiv, INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(onI32(ScalarOp::Mod, INT32_MIN, -1), 0);
}

TEST(ScalarEval, IntegerDivisionByZeroFaults) {
  EXPECT_THROW(onI32(ScalarOp::FloorDiv, 1, 0), ScalarFault);
  EXPECT_THROW(onI32(ScalarOp::Mod, 1, 0), ScalarFault);
  EXPECT_EQ(onF32(ScalarOp::FloorDiv, 1, 0), kInf);
}

TEST(ScalarEval, IntegerPowersAreExact) {
  EXPECT_EQ(onI32(ScalarOp::Pow, 3, 4), 81);
  EXPECT_EQ(onI32(ScalarOp::Pow, 2, 31), INT32_MIN);
  EXPECT_EQ(onI32(ScalarOp::Pow, -1, -3), -1);
}

TEST(ScalarEval, MinimumAndMaximumPropagateNan) {
  EXPECT_TRUE(std::isnan(onF32(ScalarOp::Min, kNan, 1)));
  EXPECT_TRUE(std::isnan(onF32(ScalarOp::Max, 1, kNan)));
  EXPECT_EQ(onF32(ScalarOp::Max, 1, 2), 2);
}

TEST(ScalarEval, RoundingGoesToEven) {
  EXPECT_EQ(onF32(ScalarOp::Round, 2.5), 2);
  EXPECT_EQ(onF32(ScalarOp::Round, -1.5), -2);
}

TEST(ScalarEval, TranscendentalFunctionsMatchTheirDefinitions) {
  EXPECT_NEAR(onF32(ScalarOp::Exp, 1), 2.718281828, 1e-6);
  EXPECT_NEAR(onF32(ScalarOp::Sigmoid, -100), 0, 1e-30);
  EXPECT_NEAR(onF32(ScalarOp::Softplus, 0), 0.693147, 1e-6);
  EXPECT_NEAR(onF32(ScalarOp::Digamma, 1), -0.577216, 1e-6);
  EXPECT_NEAR(onF32(ScalarOp::Atan2, 1, 1), 0.785398, 1e-6);
}

TEST(ScalarEval, ComparisonsWithNanAreFalse) {
  const Cell args[] = {floatCell(kNan), floatCell(kNan)};
  EXPECT_EQ(evalScalar(ScalarOp::Eq, DType::F32, DType::Bool, args).i, 0);
  EXPECT_EQ(evalScalar(ScalarOp::Ne, DType::F32, DType::Bool, args).i, 1);
  EXPECT_EQ(evalScalar(ScalarOp::Le, DType::F32, DType::Bool, args).i, 0);
}

TEST(ScalarEval, CastsTruncate) {
  EXPECT_EQ(castCell(DType::F32, DType::I32, floatCell(-2.9)).i, -2);
  EXPECT_EQ(castCell(DType::I32, DType::F32, intCell(16777217)).f, 16777216.0);
  EXPECT_EQ(castCell(DType::F32, DType::Bool, floatCell(0.5)).i, 1);
}

TEST(ScalarEval, CastsThatDoNotFitFault) {
  EXPECT_THROW(castCell(DType::F32, DType::I32, floatCell(0x1p31)), ScalarFault);
  EXPECT_THROW(castCell(DType::F32, DType::I32, floatCell(kNan)), ScalarFault);
  EXPECT_THROW(castCell(DType::I32, DType::U8, intCell(256)), ScalarFault);
  EXPECT_EQ(castCell(DType::F32, DType::I32, floatCell(-0x1p31)).i, INT32_MIN);
}

}  // namespace
}  // namespace rlc::interpreter
