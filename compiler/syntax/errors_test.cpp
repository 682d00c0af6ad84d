#include <set>

#include "compiler/syntax/test_support.h"

namespace rlc::syntax {
namespace {

using Errors = std::vector<std::string>;

Errors errorsOf(const std::string& text) { return Parsed(text).errors(); }

TEST(Errors, SayWhatIsMissingAndWhere) {
  EXPECT_EQ(errorsOf("x = 1.0 +"),
            Errors{"E0001 1:10 an expression is missing after `+`, before the end of the line"});
  EXPECT_EQ(errorsOf("x = \n"),
            Errors{"E0001 1:4 an expression is missing after `=`, before the end of the line"});
  EXPECT_EQ(errorsOf("x = f(a, , b)"),
            Errors{"E0001 1:10 something is missing between the commas"});
  EXPECT_EQ(errorsOf("s = if a then b"),
            Errors{"E0001 1:16 expected `else` after `b`, found the end of the line"});
  EXPECT_EQ(errorsOf("θγ = (1 2)"), Errors{"E0001 1:9 expected `)` or `,` after `1`, found `2`"});
  EXPECT_EQ(errorsOf("index u in n"),
            Errors{"E0001 1:13 expected `..` after `n`, found the end of the line"});
  EXPECT_EQ(errorsOf("x = 1 )"), Errors{"E0005 1:7 `)` closes nothing"});
  EXPECT_EQ(errorsOf("else x"), Errors{"E0001 1:1 an item can't begin with `else`"});
  EXPECT_EQ(errorsOf("record R { x f32 }"),
            Errors{"E0001 1:14 expected `:` after `x`, found `f32`"});
  EXPECT_EQ(errorsOf("save x"),
            Errors{"E0001 1:7 expected `as` after `x`, found the end of the line"});
}

TEST(Errors, LexicalOnes) {
  EXPECT_EQ(errorsOf("b = 3$ && 4"),
            (Errors{"E0002 1:6 `$` means nothing here", "E0002 1:8 `&` means nothing here"}));
  EXPECT_EQ(errorsOf("b = \x01"
                     "3"),
            Errors{"E0002 1:5 a control character means nothing here"});
  EXPECT_EQ(errorsOf("c = \"abc\nd = 1"), Errors{"E0003 1:5 this string has no end on its line"});
  EXPECT_EQ(errorsOf("x = 1\n/* y = 2\n"), Errors{"E0004 2:1 this comment has no end"});
  EXPECT_EQ(errorsOf("a = .5"), Errors{"E0006 1:5 a float has digits on both sides of its point"});
  EXPECT_EQ(errorsOf("a = 1. + 2"),
            Errors{"E0006 1:6 a float has digits on both sides of its point"});
  EXPECT_EQ(errorsOf("2x = 3"), Errors{"E0006 1:1 `2x` is neither a number nor a name"});
  EXPECT_EQ(errorsOf("k = 99999999999999999999"),
            Errors{"E0006 1:5 this integer is too large: the largest is 9223372036854775807"});
  EXPECT_EQ(errorsOf("k = 1e999"), Errors{"E0006 1:5 no f64 is as large as this number"});
  EXPECT_EQ(errorsOf("n = \"a\\qb\""), Errors{"E0007 1:7 this escape means nothing"});
  EXPECT_EQ(errorsOf("x = 1 # \xFF\xFE\ny = 2"),
            Errors{"E0008 1:9 the file is not UTF-8: this byte begins no character"});
  EXPECT_EQ(errorsOf(std::string("x = 1\n\0y $ = 2", 13)),
            Errors{"E0009 2:1 this is no text file: it has a NUL byte here"});
}

TEST(Errors, Brackets) {
  EXPECT_EQ(errorsOf("d = (1 + 2\ne = 3"), Errors{"E0005 1:5 `(` is never closed"});
  EXPECT_EQ(errorsOf("d = (1 + 2]\ne = 3"), Errors{"E0005 1:11 `]` where `)` was expected"});
  EXPECT_EQ(errorsOf("fn f() {\n  y = g(1\n  y\n}\nz = 1"),
            Errors{"E0005 2:8 `(` is never closed"});
  EXPECT_EQ(errorsOf("fn f() {\n  y = 1\n  y\nz = 1\nprint z"),
            Errors{"E0005 1:8 `{` is never closed"});
}

TEST(Errors, OfMeaningThatTheSyntaxShows) {
  EXPECT_EQ(errorsOf("f = 1 < 2 < 3"), Errors{"E0010 1:11 comparisons do not chain"});
  EXPECT_EQ(errorsOf("f = (1 < 2) == (2 < 3)"), Errors{});
  EXPECT_EQ(errorsOf("x + 1 = 3").front().substr(0, 9), "E0011 1:1");
  EXPECT_EQ(errorsOf("(a, 3) = f()").front().substr(0, 9), "E0011 1:5");
  EXPECT_EQ(errorsOf("x[t][0] = 2").front().substr(0, 9), "E0011 1:1");
  EXPECT_EQ(errorsOf("p = x[t: 0..]"), Errors{"E0012 1:10 a range without its upper bound"});
  EXPECT_EQ(errorsOf("p = x[..3]"), Errors{"E0012 1:7 a range without its lower bound"});
  EXPECT_EQ(errorsOf("v = w[t in 0..3]"),
            Errors{"E0013 1:7 `t in ...` gives a range on the left of an equation; this is read"});
  EXPECT_EQ(errorsOf("v = w[]"), Errors{"E0013 1:5 there is nothing between the brackets"});
  EXPECT_EQ(errorsOf("g = sum(a, b for t)"),
            Errors{"E0015 1:14 a reduction has one expression before `for`, and it comes first"});
  EXPECT_EQ(errorsOf("param in = 3"),
            Errors{"E0016 1:7 `in` is a reserved word and can't be a name"});
  EXPECT_EQ(errorsOf("fn g(x) { y = x }"), Errors{"E0017 1:17 this block has no result"});
  EXPECT_EQ(errorsOf("fn g(x, x) = x"), Errors{"E0018 1:9 the parameter `x` is given twice"});
  EXPECT_EQ(errorsOf("h = P(x = 1, x = 2)"), Errors{"E0018 1:14 the argument `x` is given twice"});
}

TEST(Errors, OfPlace) {
  EXPECT_EQ(errorsOf("x[t]"), Errors{"E0014 1:1 this value goes nowhere"});
  EXPECT_EQ(errorsOf("f(x) = 3"),
            Errors{"E0014 1:1 a method stands in a `module`, a `policy` or an `env`"});
  EXPECT_EQ(errorsOf("weight W: f32 = 3"),
            Errors{"E0014 1:1 `weight` stands in a `module` or a `policy`"});
  EXPECT_EQ(
      errorsOf("module M {\n state { x: f32 }\n use a.b\n print 3\n foo\n}"),
      (Errors{"E0014 2:2 this is a part of an `env`",
              "E0014 3:2 `use` stands in the file itself, not in a block",
              "E0014 4:2 `print`, `report` and `save` stand in the file itself, not in a block",
              "E0014 5:2 this value goes nowhere"}));
  EXPECT_EQ(errorsOf("fn f() {\n 1\n 2\n}"),
            Errors{"E0014 2:2 only the last line of a block can be its result"});
}

TEST(Errors, Limits) {
  const auto repeated = [](const std::string& piece, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += piece;
    return result;
  };
  for (const char* piece : {"-", "not ", "(", "[", "f(", "x[", "if a then b else ", "x^"}) {
    const auto errors = errorsOf("y = " + repeated(piece, 300) + "x");
    ASSERT_FALSE(errors.empty()) << piece;
  }
  EXPECT_EQ(errorsOf("y = " + repeated("(", 300) + "x" + repeated(")", 300)),
            Errors{"E0601 1:261 more than 256 levels are nested here"});
  EXPECT_EQ(errorsOf("y = " + repeated("-", 250) + "x" + repeated(" + -x^2 * y[t]", 300)), Errors{})
      << "looser operators end a level";
  EXPECT_EQ(errorsOf("y = " + repeated("a + ", 900) + "a"), Errors{});
  EXPECT_EQ(errorsOf("y = " + repeated("a + ", 1001) + "a"),
            Errors{"E0602 1:5 this expression chains more than 1000 operators"});
  EXPECT_EQ(errorsOf(repeated("# much text\n", 1500000)),
            Errors{"E0603 1:1 the file has 17 MiB; at most 8 can be compiled"});
}

TEST(Errors, HintsKnowOtherLanguages) {
  const auto hint = [](const char* text) {
    const Parsed parsed(text);
    return parsed.sink.empty() ? "" : parsed.sink.sorted().front().hint_text;
  };
  EXPECT_EQ(hint("q += 1"), "nothing is changed in place: say `x[t+1] = x + ...`");
  EXPECT_EQ(hint("k: i32 = 3"),
            "types are inferred; a constant of the run is `param k: ... = ...`");
  EXPECT_EQ(hint("report loss as \"loss\""),
            "a metric is `report \"name\" = value`; a line of output is `print x`");
  EXPECT_EQ(hint("r = a ** b"), "a power is written with `^`");
  EXPECT_EQ(hint("def f(x):\n"), "a function is `fn NAME(...) = expr` or `fn NAME(...) { ... }`");
  EXPECT_EQ(hint("r = a if b else c"), "a condition is written `if c then a else b`");
  EXPECT_EQ(hint("r = where(a > 0, a, b)"),
            "`where(c, a, b)` is written `if c then a else b`, and chooses element by element");
  EXPECT_EQ(hint("r = a && b"), "write `and`");
  EXPECT_EQ(hint("m = 'abc'"), "strings are written with \"");
  EXPECT_EQ(hint("r = f(if a = b then c else d)"), "`=` defines; `==` compares");
  EXPECT_EQ(hint("policy P(x) Q { 3 }"), "a result's type is written `-> Q`");
}

TEST(Errors, TheRestOfTheFileIsStillRead) {
  const Parsed parsed(
      "a = 1 +\nb = 2\n(c, d[t]) = f(3 4)\nfn f(x {\n  q\n}\nparam e: = 3\nmodule M {\n  x = * 3\n "
      " y = 2\n}\nz = 3");
  EXPECT_EQ(parsed.errors().size(), 5u) << parsed.rendered();
  EXPECT_FALSE(parsed.file.complete);
  ASSERT_EQ(parsed.file.items.size(), 7u);
  EXPECT_EQ(parsed.item<BrokenItem>(0).names.at(0).text, "a");
  EXPECT_EQ(parsed.item<EquationItem>(1).left.name.text, "b");
  EXPECT_EQ(parsed.item<BrokenItem>(2).names.at(1).text, "d");
  EXPECT_EQ(parsed.item<BrokenItem>(4).names.at(0).text, "e");
  EXPECT_EQ(parsed.item<ModuleItem>(5).members.size(), 2u);
  EXPECT_EQ(parsed.item<EquationItem>(6).left.name.text, "z");
}

TEST(Errors, EveryKindOfSyntaxErrorIsReported) {
  std::set<std::string_view> seen;
  const std::string deep(300, '(');
  const auto collect = [&](const std::string& text) {
    const Parsed parsed(text);
    for (const auto& error : parsed.sink.sorted()) {
      seen.insert(diagnostics::info(error.kind).code);
    }
  };
  for (const char* text : {"x =", "x = $", "x = \"", "/*", "x = (", "x = 1.", "x = \"\\q\"", "\xFF",
                           "x = 1 < 2 < 3", "1 = x", "x = y[0..]", "x = y[]", "x", "x = sum(for t)",
                           "x = sum(a, b for t)", "param in = 1", "fn f() { }", "fn f(a, a) = a"}) {
    collect(text);
  }
  collect(std::string(1, '\0'));
  collect("x = " + deep + std::string(300, ')'));
  std::string sum = "x = 1";
  for (int i = 0; i < 1001; ++i) sum += " + 1";
  collect(sum);
  collect(std::string(kMaxFileBytes + 1, ' '));
  for (const auto& kind : diagnostics::allKinds()) {
    const bool ours = kind.code.starts_with("E00") || kind.code == "E0601" ||
                      kind.code == "E0602" || kind.code == "E0603";
    if (ours) {
      EXPECT_TRUE(seen.contains(kind.code)) << kind.code << " " << kind.name;
    }
  }
}

TEST(Errors, FixesAreEdits) {
  const Parsed parsed("a = .5");
  const auto fixes = parsed.sink.sorted().front().fixes;
  ASSERT_EQ(fixes.size(), 1u);
  EXPECT_EQ(fixes[0].edits[0].replacement, "0");
  EXPECT_EQ(fixes[0].edits[0].span.begin, 4u);
}

}  // namespace
}  // namespace rlc::syntax
