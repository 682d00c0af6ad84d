// Every scalar operation on every type, against the interpreter's definition, in scalars and in
// lanes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "jit/cpu/testing/programs.h"
#include "jit/runtime/math.h"

namespace rlc::cpu {
namespace op_test {

constexpr int64_t kPoints = 37;
const DType kTypes[] = {DType::Bool, DType::U8,  DType::I32, DType::I64,
                        DType::BF16, DType::F32, DType::F64};

bool applies(ScalarOp op, DType type) {
  if (op == ScalarOp::Cast || op == ScalarOp::Select) return false;  // tests of their own
  if (op >= ScalarOp::And && op <= ScalarOp::Not) return type == DType::Bool;
  if (isComparison(op)) return true;
  if (type == DType::Bool) return false;
  if (op == ScalarOp::Div || (op >= ScalarOp::Floor && op <= ScalarOp::Digamma) ||
      (op >= ScalarOp::IsNan && op <= ScalarOp::IsFinite))
    return isFloat(type);
  return true;
}

const std::vector<double> kFloats = {
    0.0,   -0.0,     1.0,      -1.0,    0.5,     -0.5,     1.5,       2.5, -2.5, 3.25,
    -7.75, 1e-3,     -1e-3,    10.0,    -10.0,   88.0,     -88.0,     1e5, -1e5, 1e10,
    1e-10, 1e30,     -1e30,    1e-40,   5e-324,  INFINITY, -INFINITY, NAN, 2.0,  3.0,
    -3.0,  0.999999, 1.000001, 123.456, 40000.5, 7.0,      -7.0};
const std::vector<double> kIntegers = {
    0,     1,      -1,  2,   -2,   3,     -3,    7,     -7,           10,
    100,   -100,   255, 256, 1000, -1000, 65535, 65536, 2147483647.0, -2147483648.0,
    12345, -12345, 5,   -5,  6,    -6,    8,     -8,    31,           32,
    33,    63,     64,  65,  127,  128,   129};

// A literal of the type that a divisor and a dividend may take.
double numberFor(DType type, size_t i) {
  return isFloat(type) ? kFloats[i % kFloats.size()] : kIntegers[i % kIntegers.size()];
}

class Ops : public testing::TestWithParam<DType> {};

// One program with all operations of a type: result buffers in the order of the operations.
TEST_P(Ops, AgreeWithTheInterpreter) {
  const DType type = GetParam();
  for (int width : {1, 16}) {
    Builder b;
    const BufferId x = b.arena(type, kPoints), y = b.arena(type, kPoints);
    std::vector<std::pair<ScalarOp, BufferId>> results;
    b.lanes(ix(0), ix(kPoints), [&](Expr i) {
      for (int k = 0; k < static_cast<int>(ScalarOp::Select); ++k) {
        const auto op = static_cast<ScalarOp>(k);
        if (!applies(op, type)) continue;
        std::vector<Expr> args{b.get(x, i)};
        if (arity(op) == 2) args.push_back(b.get(y, i));
        const Expr value = loops::op(op, args);
        const BufferId out = b.arena(value->type, kPoints);
        results.emplace_back(op, out);
        b.store(out, i, value);
      }
    });
    for (size_t shift : {1, 17}) {
      Memory expected(b.program), actual(b.program);
      for (Memory* memory : {&expected, &actual})
        for (int64_t i = 0; i < kPoints; ++i) {
          memory->set(x, i, numberFor(type, static_cast<size_t>(i)));
          double divisor = numberFor(type, static_cast<size_t>(i) * 3 + shift);
          if (type == DType::U8 && static_cast<int64_t>(divisor) % 256 == 0) divisor = 3;
          memory->set(y, i, divisor == 0 && !isFloat(type) ? 3 : divisor);
        }
      runReference(b.program, expected.arena(), expected.parameters(), 0);
      runCompiled(b.program, actual, {.width = width});
      for (const auto& [op, out] : results)
        for (int64_t i = 0; i < kPoints; ++i) {
          const double want = expected.get(out, i), got = actual.get(out, i);
          const bool same = (std::isnan(want) && std::isnan(got)) ||
                            (want == got && std::signbit(want) == std::signbit(got));
          ASSERT_TRUE(same) << name(type) << " " << name(op) << "(" << actual.get(x, i) << ", "
                            << actual.get(y, i) << "): want " << want << ", got " << got
                            << " at width " << width;
        }
    }
  }
}

TEST_P(Ops, CastToEveryType) {
  const DType from = GetParam();
  for (int width : {1, 16}) {
    Builder b;
    const BufferId x = b.arena(from, kPoints);
    b.lanes(ix(0), ix(kPoints), [&](Expr i) {
      for (DType to : kTypes) b.store(b.arena(to, kPoints), i, loops::cast(to, b.get(x, i)));
    });
    Memory expected(b.program), actual(b.program);
    for (Memory* memory : {&expected, &actual})
      for (int64_t i = 0; i < kPoints; ++i)
        memory->set(x, i, static_cast<double>(i * 3) + 0.75);  // fits everywhere
    runReference(b.program, expected.arena(), expected.parameters(), 0);
    runCompiled(b.program, actual, {.width = width});
    for (BufferId out = 1; out <= 7; ++out)
      EXPECT_EQ(expected.bytes(out), actual.bytes(out))
          << name(from) << " to " << name(kTypes[out - 1]);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Ops, testing::ValuesIn(kTypes),
                         [](const auto& info) { return std::string(name(info.param)); });

// Vectors multiply by the reciprocal and mend the last bit.
TEST(Quotients, ByConstantsAreCorrectlyRounded) {
  constexpr int64_t n = 1 << 14;
  for (DType type : {DType::F32, DType::F64}) {
    const double last = type == DType::F32 ? std::ldexp(1.0, -23) : std::ldexp(1.0, -52);
    for (double divisor : {1.1, -1.1, 3.0, 7.0, 10.0, 500.0, 999983.0, 3.14159265, 1 + last,
                           1 + 2 * last, 2 - last, 2 - 2 * last, 0.3, 1e-30, 1e30}) {
      Builder b;
      const BufferId x = b.arena(type, n), y = b.arena(type, n);
      b.lanes(ix(0), ix(n), [&](Expr i) {
        b.store(y, i,
                loops::op(ScalarOp::Div,
                          {b.get(x, i), loops::literal(Scalar::ofFloat(type, divisor))}));
      });
      Memory expected(b.program), actual(b.program);
      uint64_t bits = 88172645463325252U;
      for (int64_t i = 0; i < n; ++i) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        // Every mantissa's neighbourhood, and multiples of the divisor, whose quotients are exact
        // or half way between two numbers.
        double value = std::ldexp(1 + static_cast<double>(bits >> 12) * 0x1p-52,
                                  static_cast<int>(bits % 190) - 95);
        if (i % 4 == 1) value = divisor * static_cast<double>(i);
        if (i < static_cast<int64_t>(kFloats.size()) &&
            std::abs(kFloats[static_cast<size_t>(i)]) != 1e-40 &&
            std::abs(kFloats[static_cast<size_t>(i)]) != 5e-324)
          value = kFloats[static_cast<size_t>(i)];
        for (Memory* memory : {&expected, &actual})
          memory->set(x, i, bits % 2 == 0 ? value : -value);
      }
      runReference(b.program, expected.arena(), expected.parameters(), 0);
      runCompiled(b.program, actual, {.width = 16});
      for (int64_t i = 0; i < n; ++i) {
        const double want = expected.get(y, i), got = actual.get(y, i);
        ASSERT_TRUE((std::isnan(want) && std::isnan(got)) ||
                    (want == got && std::signbit(want) == std::signbit(got)))
            << name(type) << ": " << actual.get(x, i) << " / " << divisor << ": want " << want
            << ", got " << got;
      }
    }
  }
}

// Vectors take the quotient's whole part, which may be one too far; large quotients are the C
// library's.
TEST(Remainders, AreExact) {
  constexpr int64_t n = 1 << 12;
  for (DType type : {DType::F32, DType::F64}) {
    Builder b;
    const BufferId x = b.arena(type, n), y = b.arena(type, n), mod = b.arena(type, n),
                   whole = b.arena(type, n);
    b.lanes(ix(0), ix(n), [&](Expr i) {
      b.store(mod, i, loops::op(ScalarOp::Mod, {b.get(x, i), b.get(y, i)}));
      b.store(whole, i, loops::op(ScalarOp::FloorDiv, {b.get(x, i), b.get(y, i)}));
    });
    Memory expected(b.program), actual(b.program);
    uint64_t bits = 88172645463325252U;
    for (int64_t i = 0; i < n; ++i) {
      bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
      const double divisor = std::ldexp(1 + static_cast<double>(bits >> 12) * 0x1p-52,
                                        static_cast<int>(bits % 21) - 10) *
                             (bits % 2 == 0 ? 1 : -1);
      // A multiple and its neighbours; blocks of lanes with larger and larger quotients.
      expected.set(y, i, divisor);
      const double multiple = std::floor(std::ldexp(1 + static_cast<double>(bits % 1000) / 1000,
                                                    static_cast<int>(i / 64))) *
                              expected.get(y, i);
      expected.set(x, i, multiple * (i % 3 == 0 ? 1 : i % 3 == 1 ? 1 + 0x1p-23 : 1 - 0x1p-24));
      actual.set(x, i, expected.get(x, i));
      actual.set(y, i, expected.get(y, i));
    }
    runReference(b.program, expected.arena(), expected.parameters(), 0);
    runCompiled(b.program, actual, {.width = 16});
    for (BufferId out : {mod, whole})
      for (int64_t i = 0; i < n; ++i)
        ASSERT_EQ(expected.get(out, i), actual.get(out, i))
            << name(type) << ": " << actual.get(x, i) << (out == mod ? " % " : " // ")
            << actual.get(y, i);
  }
}

// Vectors of integers are divided as f64.
TEST(Remainders, OfIntegersAreExact) {
  constexpr int64_t n = 1 << 14;
  constexpr int32_t least = std::numeric_limits<int32_t>::min(), most = ~least;
  Builder b;
  const BufferId x = b.arena(DType::I32, n), y = b.arena(DType::I32, n),
                 mod = b.arena(DType::I32, n), whole = b.arena(DType::I32, n);
  b.lanes(ix(0), ix(n), [&](Expr i) {
    b.store(mod, i, loops::op(ScalarOp::Mod, {b.get(x, i), b.get(y, i)}));
    b.store(whole, i, loops::op(ScalarOp::FloorDiv, {b.get(x, i), b.get(y, i)}));
  });
  Memory expected(b.program), actual(b.program);
  uint64_t bits = 88172645463325252U;
  const auto next = [&] {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    return static_cast<int32_t>(static_cast<int64_t>(bits) >> (32 + bits % 31));
  };
  constexpr std::array<int32_t, 6> ends{least, least + 1, -1, 1, most - 1, most};
  for (int64_t i = 0; i < n; ++i) {
    int32_t divisor = i % 5 == 0 ? ends[static_cast<size_t>(i / 5 % 6)] : next();
    if (divisor == 0) divisor = 3;
    // Multiples and their neighbours, and numbers as they come.
    const auto multiple = static_cast<int64_t>(divisor) * (most / std::abs(int64_t{divisor}));
    const int64_t dividend = i % 3 == 0 ? multiple + i % 7 - 3 : i % 11 == 0 ? least : next();
    for (Memory* memory : {&expected, &actual}) {
      memory->set(x, i, static_cast<double>(std::clamp<int64_t>(dividend, least, most)));
      memory->set(y, i, divisor);
    }
  }
  runReference(b.program, expected.arena(), expected.parameters(), 0);
  runCompiled(b.program, actual, {.width = 16});
  for (BufferId out : {mod, whole})
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(expected.get(out, i), actual.get(out, i))
          << actual.get(x, i) << (out == mod ? " % " : " // ") << actual.get(y, i);
}

TEST(Formulas, HaveTheBitsOfTheScalarTemplates) {
  constexpr int64_t n = 4096;
  for (DType type : {DType::F32, DType::F64}) {
    Builder b;
    const BufferId x = b.arena(type, n), y = b.arena(type, n);
    std::vector<std::pair<ScalarOp, BufferId>> results;
    b.lanes(ix(0), ix(n), [&](Expr i) {
      for (int k = 0; k < static_cast<int>(ScalarOp::Select); ++k) {
        const auto op = static_cast<ScalarOp>(k);
        if (!runtime::math::isTranscendental(op)) continue;
        std::vector<Expr> args{b.get(x, i)};
        if (arity(op) == 2) args.push_back(b.get(y, i));
        results.emplace_back(op, b.arena(type, n));
        b.store(results.back().second, i, loops::op(op, args));
      }
    });
    Memory memory(b.program);
    for (int64_t i = 0; i < n; ++i) {
      const double t = static_cast<double>(i) / n;
      memory.set(x, i, std::sin(static_cast<double>(i)) * std::pow(10.0, 12 * t - 6));
      memory.set(y, i, std::cos(3.0 * static_cast<double>(i)) * std::pow(10.0, 4 * t - 2));
    }
    runCompiled(b.program, memory);
    for (const auto& [op, out] : results)
      for (int64_t i = 0; i < n; ++i) {
        const double a = memory.get(x, i), c = memory.get(y, i), got = memory.get(out, i);
        const double want =
            type == DType::F32
                ? runtime::math::transcendental(op, static_cast<float>(a), static_cast<float>(c))
                : runtime::math::transcendental(op, a, c);
        ASSERT_TRUE(std::memcmp(&want, &got, 8) == 0 || (std::isnan(want) && std::isnan(got)))
            << name(op) << "(" << a << ", " << c << ") of " << name(type) << ": want " << want
            << ", got " << got;
      }
  }
}

}  // namespace op_test
}  // namespace rlc::cpu
