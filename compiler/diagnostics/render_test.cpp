#include "compiler/diagnostics/render.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rlc::diagnostics {
namespace {

class Render : public ::testing::Test {
 protected:
  Span span(std::string_view words) {
    const auto begin = static_cast<uint32_t>(sources.text(0).find(words));
    return {0, begin, begin + static_cast<uint32_t>(words.size())};
  }
  SourceMap sources;
};

TEST_F(Render, ShowsTheLineCaretsNotesPointAndHint) {
  sources.add("a.rl", "index t in 0..4\ny = sqr(θ[t])\n");
  const auto text = render(Diagnostic(Kind::UnknownName, span("sqr"), "there is no `sqr`")
                               .note(span("t in 0..4"), "`t` is declared here")
                               .note("names are case-sensitive")
                               .at({{"t", 3}, {"b", 0}})
                               .hint("did you mean `sqrt`?"),
                           sources);
  EXPECT_EQ(text,
            "a.rl:2:5: error[E0101]: there is no `sqr`\n"
            "  2 | y = sqr(θ[t])\n"
            "    |     ^^^\n"
            "a.rl:1:7: note: `t` is declared here\n"
            "  1 | index t in 0..4\n"
            "    |       ^^^^^^^^^\n"
            "  note: names are case-sensitive\n"
            "  at t = 3, b = 0\n"
            "  hint: did you mean `sqrt`?\n");
}

TEST_F(Render, PutsLabelsOfTheSameLineUnderIt) {
  sources.add("a.rl", "\ty = αβ + 漢字 + z");
  const auto text = render(Diagnostic(Kind::ShapeMismatch, span("z"), "shapes do not agree")
                               .caretText("f32[3]")
                               .label(span("漢字"), "f32[2]"),
                           sources);
  EXPECT_EQ(text,
            "a.rl:1:16: error[E0202]: shapes do not agree\n"
            "  1 |     y = αβ + 漢字 + z\n"
            "    |                     ^ f32[3]\n"
            "    |              ---- f32[2]\n");
}

TEST_F(Render, CutsLongLinesAroundTheCarets) {
  sources.add("a.rl", std::string(100000, 'a') + "!" + std::string(100000, 'b'));
  const auto text = render(Diagnostic(Kind::UnexpectedToken, span("!"), "no"), sources,
                           {.color = false, .width = 60});
  EXPECT_LT(text.size(), 300u);
  const size_t line = text.find("  1 | "), carets = text.rfind("    | ");
  ASSERT_NE(line, std::string::npos);
  EXPECT_EQ(text[line + (text.find('^') - carets)], '!') << text;
  EXPECT_NE(text.find("..."), std::string::npos);
}

TEST_F(Render, ManyLinesShowTheFirst) {
  sources.add("a.rl", "f(a,\n  b)\n");
  EXPECT_EQ(render(Diagnostic(Kind::TypeMismatch, Span{0, 0, 10}, "no"), sources),
            "a.rl:1:1: error[E0201]: no\n  1 | f(a,\n    | ^^^^\n");
}

TEST_F(Render, NoPlaceIsNoExcerpt) {
  EXPECT_EQ(render(Diagnostic(Kind::UnknownParam, Span{}, "there is no param `x`"), sources),
            "error[E0501]: there is no param `x`\n");
}

TEST_F(Render, ColorOnlyWhenAsked) {
  sources.add("a.rl", "x");
  const Diagnostic diagnostic(Kind::UnknownName, Span{0, 0, 1}, "no");
  EXPECT_EQ(render(diagnostic, sources).find('\033'), std::string::npos);
  EXPECT_NE(render(diagnostic, sources, {.color = true}).find('\033'), std::string::npos);
}

TEST_F(Render, EveryPlaceOfOddTextCanBeShown) {
  sources.add("a.rl", std::string("\xEF\xBB\xBF\xFFx\r\n\0\x01\t\xE2\x82\r\n", 14));
  for (uint32_t begin = 0; begin <= 16; ++begin) {
    for (uint32_t end = begin; end <= 16; ++end) {
      const Diagnostic diagnostic(Kind::UnknownName, Span{0, begin, end}, "no");
      EXPECT_NE(render(diagnostic, sources).find('^'), std::string::npos);
      EXPECT_FALSE(renderJson(diagnostic, sources).empty());
    }
  }
}

TEST_F(Render, JsonHasTheSameFacts) {
  sources.add("a.rl", "y = sqr(θ)\n");
  const auto json = nlohmann::json::parse(
      renderJson(Diagnostic(Kind::UnknownName, span("sqr"), "there is no `sqr`")
                     .at({{"t", 3}})
                     .hint("did you mean `sqrt`?")
                     .fix("use `sqrt`", span("sqr"), "sqrt"),
                 sources));
  EXPECT_EQ(json["code"], "E0101");
  EXPECT_EQ(json["severity"], "error");
  EXPECT_EQ(json["line"], 1);
  EXPECT_EQ(json["column"], 5);
  EXPECT_EQ(json["end_column"], 8);
  EXPECT_EQ(json["witness"]["t"], 3);
  EXPECT_EQ(json["fixes"][0]["edits"][0]["replacement"], "sqrt");
}

TEST(Sink, OrdersByPlaceDropsRepetitionsAndCountsTheRest) {
  DiagnosticSink sink(3);
  sink.report(Diagnostic(Kind::UnknownName, Span{0, 9, 10}, "b"));
  sink.report(Diagnostic(Kind::UnknownName, Span{0, 2, 3}, "a"));
  sink.report(Diagnostic(Kind::UnknownName, Span{0, 9, 10}, "b"));
  sink.report(Diagnostic(Kind::UnknownName, Span{0, 4, 5}, "w", Severity::Warning));
  EXPECT_EQ(sink.errorCount(), 2u);
  sink.report(Diagnostic(Kind::UnknownName, Span{0, 99, 100}, "c"));
  EXPECT_EQ(sink.errorCount(), 3u);
  EXPECT_EQ(sink.droppedCount(), 1u);
  const auto sorted = sink.sorted();
  ASSERT_EQ(sorted.size(), 3u);
  EXPECT_EQ(sorted[0].message, "a");
  EXPECT_EQ(sorted[2].message, "b");
}

}  // namespace
}  // namespace rlc::diagnostics
