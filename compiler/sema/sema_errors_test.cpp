// What is reported, and where.
#include <gtest/gtest.h>

#include "compiler/sema/testing.h"

namespace rlc::sema {
namespace {

using testing::elaborateText;

std::vector<std::string> errors(const std::string& text, Options options = {},
                                bool library = false) {
  return elaborateText(text, std::move(options), library)->errors();
}

using Errors = std::vector<std::string>;

// The first error, which must be the only one.
std::string only(const std::string& text, Options options = {}, bool library = false) {
  Errors all = errors(text, std::move(options), library);
  if (all.size() != 1)
    return std::to_string(all.size()) + " errors" +
           (all.empty() ? "" : ": " + all[0] + (all.size() > 1 ? "; " + all[1] : ""));
  return all[0];
}

TEST(Errors, NameThePointOfAnUndefinedRead) {
  EXPECT_EQ(only("index t in 0..4\nx[t] = 1.0\ny[t] = x[t-1]\n"),
            "3:8 UndefinedRead `x[t-1]` is read at t = 0, where `x` has no value");
  EXPECT_EQ(only("index t in 0..4\nx[t+1] = 0.5 * x[t]\n"),
            "2:16 UndefinedRead `x[t]` is read at t = 0, where `x` has no value");
  EXPECT_EQ(only("index t in 0..4\ny[t in 1..4] = 1.0\nx = y\n"),
            "3:5 UndefinedRead `y` is read at t = 0, where `y` has no value");
}

TEST(Errors, SayWhereWhatIsReadExists) {
  const auto hint = [](const std::string& text) {
    return elaborateText(text)->sink.sorted().at(0).hint_text;
  };
  const std::string define = "define that point by another equation, or read ";
  const std::string shape = "index t in 0..9\nindex b in 0..3\nx[t in 2..6, b] = 1.0\n";
  EXPECT_EQ(hint(shape + "y[t, b] = x[t-1, b]\n"),
            define + "it only where it exists: `if t >= 3 and t < 7 then ... else ...`");
  EXPECT_EQ(hint(shape + "y = sum(x[k, 0] for k in 0..5)\n"),
            define + "it only where it exists: `if k >= 2 then ... else ...`");
  EXPECT_EQ(hint(shape + "y = x[7, 0]\n"), define + "one that is defined");
}

// An equation without subscripts has them in the order of their declarations.
TEST(Errors, TellTheOrderOfIndices) {
  const auto result =
      elaborateText("index t in 0..9\nindex b in 0..3\nx = t + b\ny = sum(x[b, t] for b, t)\n");
  EXPECT_EQ(result->sink.sorted().at(0).hint_text,
            "the indices of `x` come in another order: `x[t, b]`");
}

TEST(Errors, NameThePointDefinedTwice) {
  EXPECT_EQ(only("index t in 0..4\nx[0] = 1.0\nx[t] = 2.0\n"),
            "3:1 DoubleDefinition `x[0]` is defined twice");
}

TEST(Errors, NameTheCycle) {
  EXPECT_EQ(only("a = b + 1.0\nb = a * 2.0\n"),
            "1:1 InstantCycle `a` depends on itself: `a` needs `b` needs `a`");
  EXPECT_EQ(only("index t in 0..5\nx[t] = x[4 - t] + 1\n"),
            "2:1 InstantCycle `x[2]` depends on itself");
}

TEST(Errors, NameTheCycleAlongTwoIndices) {
  EXPECT_EQ(only("index t in 0..20\nindex l in 3..18\nw[3] = 1.0\nw[l+1] = w + x[l+2]\n"
                 "x[0] = 0.5\nx[t+1] = 0.5 * x + w[min(max(t, 3), 18)]\n"),
            "4:1 InstantCycle `w[4]` depends on itself: `w[4]` needs `x[5]` needs `w[4]`");
}

TEST(Errors, NameEveryCycle) {
  EXPECT_EQ(
      errors("a = b + 1.0\nb = a * 2.0\nc = c + 1.0\nd = unknown\n"),
      (Errors{"1:1 InstantCycle `a` depends on itself: `a` needs `b` needs `a`",
              "3:1 InstantCycle `c` depends on itself", "4:5 UnknownName there is no `unknown`"}));
}

TEST(Errors, SuggestModules) {
  for (const auto& [text, hint] : std::vector<std::pair<std::string, std::string>>{
           {"use std.nnn.Mlp\n", "did you mean `nn`?"},
           {"use std.optm\n", "did you mean `optim`?"},
           {"use std.envs.CartPol\n", "did you mean `CartPole`?"}}) {
    auto result = elaborateText(text, {}, true);
    ASSERT_EQ(result->sink.sorted().size(), 1u) << text;
    EXPECT_EQ(result->sink.sorted().front().hint_text.substr(0, hint.size()), hint) << text;
  }
}

TEST(Errors, NameTheMissingIndex) {
  EXPECT_EQ(only("index t in 0..4\nr = 1.0 * t\nx[0] = r\n"),
            "3:1 MissingIndex `t` is missing on the left: the right side varies over it");
  EXPECT_EQ(only("fn f() {\n  index t in 0..4\n  index u in 0..4\n  r[t] = 1.0 * t\n"
                 "  x[u] = r\n  sum(x for u)\n}\nreport \"x\" = f()\n"),
            "5:3 MissingIndex `t` is missing on the left: the right side varies over it");
  EXPECT_TRUE(errors("fn pair(a, k: int) = (1.0 * k, a)\nfn f() {\n  index k in 0..3\n"
                     "  index t in 0..4\n  p[t] = 2.0 * t\n  (q[k], _) = pair(p, k)\n"
                     "  sum(q for k)\n}\nreport \"q\" = f()\n")
                  .empty());
  EXPECT_EQ(only("index t in 0..4\nx[t] = 1.0 * t\nfn f(x: f32) over t -> f32 {\n"
                 "  index k in 0..3\n  m[k] = x\n  sum(m for k)\n}\ny = f(x)\nprint y\n"),
            "5:3 MissingIndex `t` is missing on the left: the right side varies over it");
}

TEST(Errors, NameTheIndexThatAResultMayNotVaryOver) {
  const std::string body = "  index t in 0..4\n  x[t] = m * t\n";
  const std::string expected =
      "4:3 MissingIndex the result varies over `t`, which is known in this body only";
  EXPECT_EQ(only("fn f(m) {\n" + body + "  x\n}\nreport \"y\" = f(2.0)\n"), expected);
  EXPECT_EQ(only("fn f(m) {\n" + body + "  { x = x, m = m }\n}\ny = f(2.0)\nreport \"m\" = y.m\n"),
            expected);
}

TEST(Errors, ListTheReadings) {
  const auto elements = elaborateText(
      "index i in 0..3\nindex b in 0..3\nindex t in 0..3\nx = zeros(2, 2) + i + b + t\ny[i, b, t] "
      "= x[0, 1]\n");
  EXPECT_EQ(elements->sink.sorted().at(0).hint_text,
            "say which: `x[i: 0]`, `x[b: 0]`, `x[t: 0]`; elements are read in a second bracket: "
            "`x[..][0, 1]`");
  EXPECT_EQ(only("index i in 0..3\nindex b in 0..3\nx = i + b\ny[i, b] = x[0]\n"),
            "4:11 AmbiguousReading which position of `x` is `0`? it mentions none of `i`, `b`");
}

TEST(Errors, SuggestNames) {
  auto result = elaborateText("y = sqr(2.0)\n");
  ASSERT_EQ(result->errors(), Errors{"1:5 UnknownName there is no `sqr`"});
  EXPECT_EQ(result->sink.sorted()[0].hint_text, "did you mean `sqrt`?");
}

TEST(Errors, AreAllReportedAtOnceAndOnce) {
  EXPECT_EQ(errors("a = b\nc = a + 1\nd = c[5]\ne = [1, 2] + [1, 2, 3]\nf = e * 2\n"),
            (Errors{"1:5 UnknownName there is no `b`",
                    "4:5 ShapeMismatch shapes [2] and [3] do not agree: 2 against 3"}));
}

// Nothing says at which point an equation without subscripts reads it.
TEST(Errors, TellWhatIsDefinedAtConstants) {
  EXPECT_EQ(only("index t in 0..4\nw[0] = 1.0\ny[t] = 2.0 * w\n"),
            "3:14 AmbiguousReading `w` has a position without a name: it is defined at constants "
            "there");
}

TEST(Errors, OfElementsAndTypes) {
  EXPECT_EQ(only("v = [1, 2, 3]\ny = v[3]\n"),
            "2:5 ElementOutOfRange `v[3]`: element 3 does not exist, there are 3");
  EXPECT_EQ(only("y = if 1 then 2 else 3\n"), "1:8 TypeMismatch a condition is a bool, not i32");
  EXPECT_EQ(only("fn f(x: i32) = x\ny = f(0.5)\n"), "2:7 TypeMismatch `x` is i32, not f32");
  EXPECT_EQ(only("v = [1.0, 2.0, 3.0]\ny = v[1..]\n"),
            "2:7 OpenRange a range without its upper bound");
}

TEST(Errors, OfEmptyReductions) {
  EXPECT_EQ(only("index t in 0..4\nm[t] = max(k for k in 0..t)\n"),
            "2:8 EmptyReduction this reduction has no elements at t = 0, and so no value");
}

TEST(Errors, OfParams) {
  EXPECT_EQ(only("param n = 3\nx = n\n", {{{"m", "4"}}, {}}),
            "UnknownParam the program has no param `m`");
  EXPECT_EQ(only("param n = 3\nx = n\n", {{{"n", "many"}}, {}}),
            "1:7 BadParamValue `n = many`: this value can't be read");
}

TEST(Errors, OfSettingsThatEmptyAnIndex) {
  const std::string text = "param n = 3\nparam m = 2 * n\nindex t in 1..m\nx = mean(t for t)\n";
  EXPECT_EQ(only(text, {{{"n", "0"}}, {}}),
            "3:7 BadParamValue `n = 0` leaves the index `t` without a point");
  EXPECT_EQ(only("param n = 8\nindex t in 0..n\nindex i in 0..n//4\nx[t] = 1.0\n"
                 "y = x[4*i + 3]\n",
                 {{{"n", "3"}}, {}}),
            "3:7 BadParamValue `n = 3` leaves the index `i` without a point");
  EXPECT_EQ(only("param n = 8\nindex t in 0..n\nindex i in 0..n//4\nx = zeros([n])\n"
                 "y[i] = x[4*i + 3]\n",
                 {{{"n", "3"}}, {}}),
            "3:7 BadParamValue `n = 3` leaves the index `i` without a point");
  EXPECT_EQ(only("param n = 0\nindex t in 0..n\nx = mean(t for t)\n"),
            "3:5 EmptyReduction this reduction has no elements, and so no value");
}

TEST(Errors, OfCallsWithoutAnEnd) {
  Errors all = errors("fn f(n) = f(n + 1)\ny = f(0)\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NE(all[0].find("CallLimit"), std::string::npos) << all[0];
}

TEST(Errors, OfDistributions) {
  EXPECT_EQ(only("x ~ 0.5\n"), "1:5 NotADistribution `~` takes a distribution, not f32");
  EXPECT_EQ(only("x ~ reparam(Categorical([0.0, 1.0]))\n", {}, true).substr(0, 24),
            "1:5 NoReparameterization");
}

}  // namespace
}  // namespace rlc::sema
