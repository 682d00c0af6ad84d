#include "compiler/syntax/literals.h"
#include "compiler/syntax/test_support.h"

namespace rlc::syntax {
namespace {

TEST(Precedence, IsThatOfTheLanguage) {
  EXPECT_EQ(bracketed("-2^2"), "(- (2 ^ 2))");
  EXPECT_EQ(bracketed("2^-1"), "(2 ^ (- 1))");
  EXPECT_EQ(bracketed("2^-1*3"), "((2 ^ (- 1)) * 3)");
  EXPECT_EQ(bracketed("2^3^2"), "(2 ^ (3 ^ 2))");
  EXPECT_EQ(bracketed("-a * b"), "((- a) * b)");
  EXPECT_EQ(bracketed("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(bracketed("a / b // c % d @ e"), "((((a / b) // c) % d) @ e)");
  EXPECT_EQ(bracketed("a + b * c"), "(a + (b * c))");
  EXPECT_EQ(bracketed("a + b < c * d"), "((a + b) < (c * d))");
  EXPECT_EQ(bracketed("not a == b and c or d"), "(((not (a == b)) and c) or d)");
  EXPECT_EQ(bracketed("not not a"), "(not (not a))");
  EXPECT_EQ(bracketed("- - x"), "(- (- x))");
  EXPECT_EQ(bracketed("if a then b else c + d"), "(if a then b else (c + d))");
  EXPECT_EQ(bracketed("if a then b else if c then d else e"),
            "(if a then b else (if c then d else e))");
  EXPECT_EQ(bracketed("1 + if a then b else c or d"), "(1 + (if a then b else (c or d)))");
  EXPECT_EQ(bracketed("f(x)[t].y^2"), "(f(x)[t].y ^ 2)");
  EXPECT_EQ(bracketed("-x.y[0](1)"), "(- x.y[0](1))");
  EXPECT_EQ(bracketed("(a < b) == c"), "((a < b) == c)");
}

TEST(Print, RoundTripsWithTheFewestBrackets) {
  for (const char* text : {"a + b * c",
                           "(a + b) * c",
                           "a - (b - c)",
                           "-(a + b)",
                           "(-a)^2",
                           "-a^2",
                           "(a^b)^c",
                           "a^b^c",
                           "2^-x",
                           "not (a and b)",
                           "(a < b) == c",
                           "(if c then a else b) + 1",
                           "f(x, k = 1)",
                           "sum(e for b, k in 0..t + 1 if k > 2)",
                           "var(x for t, ddof = 1)",
                           "x[t: 0..3, b: 1][.., 2]",
                           "x[..]",
                           "p.q.r",
                           "{ x = 1.0, y = [1, 2] }",
                           "(a, b)",
                           "()",
                           "\"a \\\"b\\n\"",
                           "if a then b else if c then d else e",
                           "x[i, t + 1]",
                           "[[1, 2], [3]]",
                           "true",
                           "x[0..=n]"}) {
    EXPECT_EQ(reprinted(text), text);
  }
}

TEST(Print, CollapsesSourceText) {
  EXPECT_EQ(collapse("  a +\n\t b # why\n * /* x */ c "), "a + b * c");
  EXPECT_EQ(collapse("f(\"a  # b\")"), "f(\"a  # b\")");
  EXPECT_EQ(collapse(""), "");
}

TEST(Expressions, Brackets) {
  const Parsed parsed("y = x[t+1][0, 1..3, ..] + v[t: 0, b: 0..=T]");
  const auto* sum = parsed.item<EquationItem>().value->as<BinaryExpr>();
  const auto* element = sum->left->as<SubscriptExpr>();
  EXPECT_EQ(element->entries[1].kind, Entry::Kind::Slice);
  EXPECT_EQ(element->entries[2].kind, Entry::Kind::Rest);
  EXPECT_EQ(parsed.text(element->brackets), "[0, 1..3, ..]");
  const auto* named = sum->right->as<SubscriptExpr>();
  EXPECT_EQ(named->entries[0].name->text, "t");
  EXPECT_TRUE(named->entries[1].range->inclusive);
}

TEST(Expressions, Comprehensions) {
  const Parsed parsed("y = var(e, ddof = 1 for b, k in 0..n if k > 1, keep = true)");
  const auto* call = parsed.item<EquationItem>().value->as<CallExpr>();
  ASSERT_NE(call, nullptr) << parsed.rendered();
  EXPECT_EQ(call->arguments.size(), 3u);
  EXPECT_EQ(call->arguments[2].name->text, "keep");
  EXPECT_FALSE(call->comprehension->binders[0].range);
  EXPECT_EQ(print(*call->comprehension->filter), "k > 1");
}

TEST(Expressions, NoPrimeIsLost) { EXPECT_EQ(reprinted("abs(x') + x''"), "abs(x') + x''"); }

TEST(Literals, Numbers) {
  EXPECT_EQ(integerValue("1_000"), 1000);
  EXPECT_EQ(integerValue("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(integerValue("9223372036854775808"), std::nullopt);
  EXPECT_EQ(floatValue("1_0.5e-1")->value, 1.05);
  EXPECT_EQ(floatValue("1_0.5e-1")->text, "10.5e-1");
  EXPECT_EQ(floatValue("1e-999")->value, 0.0);
  EXPECT_FALSE(floatValue("1e999"));
  EXPECT_EQ(reprinted("1e5 + 1.5E+3 + 007 + x[0..3]"), "1e5 + 1.5E+3 + 7 + x[0..3]");
}

TEST(Literals, Strings) {
  EXPECT_EQ(stringValue("\"a\\n\\\"\\u{3b8}\"").value, "a\n\"θ");
  EXPECT_EQ(stringValue("\"\\q\"").bad_escape, 1u);
  EXPECT_EQ(stringValue("\"open").value, "open");
  EXPECT_EQ(stringValue("\"").value, "");
}

TEST(Lines, GoOnAfterOperatorsAndInBrackets) {
  EXPECT_EQ(reprinted("a +\n b"), "a + b");
  EXPECT_EQ(reprinted("a\n  * b"), "a * b");
  EXPECT_EQ(reprinted("if a\n then b\n else\n c"), "if a then b else c");
  EXPECT_EQ(reprinted("\n  f(\n a,\n b,\n)"), "f(a, b)");
  EXPECT_EQ(reprinted("x\n .f()\n\n # comment\n .g()"), "x.f().g()");
  EXPECT_EQ(reprinted("sum(x\n for k\n in 0..3)"), "sum(x for k in 0..3)");
  EXPECT_EQ(Parsed("y = a\n- b").file.items.size(), 2u) << "`-` can begin an expression";
  EXPECT_EQ(Parsed("y = 1\n  where t > 0").item<EquationItem>().where == nullptr, false);
  EXPECT_EQ(Parsed("a = 1; b = 2;; c = 3;").file.items.size(), 3u);
}

}  // namespace
}  // namespace rlc::syntax
