#include <random>

#include "compiler/syntax/test_support.h"

namespace rlc::syntax {
namespace {

// Walks everything, so that a null or a wrong span would show.
struct Walker {
  const Parsed& parsed;
  size_t nodes = 0;

  void expr(const ExprPtr& expr) {
    ASSERT_NE(expr, nullptr);
    ASSERT_LE(expr->span.end, parsed.sources.text(0).size());
    ++nodes;
    (void)print(*expr);
  }
  void items(const Block& block) {
    for (const Item& item : block) {
      ++nodes;
      ASSERT_LE(item.span.begin, item.span.end);
      if (const auto* equation = item.as<EquationItem>()) expr(equation->value);
      if (const auto* single = item.as<ExprItem>()) expr(single->value);
      if (const auto* module = item.as<ModuleItem>()) items(module->members);
      if (const auto* fn = item.as<FnItem>()) {
        if (fn->body.expr) expr(fn->body.expr);
        items(fn->body.items);
      }
      if (const auto* sink = item.as<SinkItem>()) {
        for (const ExprPtr& value : sink->values) expr(value);
      }
    }
  }
};

void survives(const std::string& text) {
  const Parsed parsed(text);
  Walker walker{parsed};
  walker.items(parsed.file.items);
  EXPECT_EQ(parsed.file.complete, !parsed.sink.hasErrors()) << text;
  (void)parsed.rendered();
}

TEST(Robustness, EveryTruncationOfTheSample) {
  const std::string sample = kSample;
  for (size_t length = 0; length <= sample.size(); ++length) survives(sample.substr(0, length));
}

TEST(Robustness, EveryBeginningCutOff) {
  const std::string sample = kSample;
  for (size_t begin = 0; begin <= sample.size(); begin += 3) survives(sample.substr(begin));
}

TEST(Robustness, PiecesLeftOutDoubledAndReplaced) {
  const std::string sample = kSample;
  std::mt19937 random(20240607);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  static constexpr char kBytes[] = "()[]{}=~.,:;+-*/^'\"#\n\r\t \xCE\xB8\xFF\x01 abct019<>!&|$@%_";
  for (int round = 0; round < 1500; ++round) {
    std::string text = sample.substr(below(sample.size() / 2), 400 + below(1000));
    for (size_t change = 0, changes = 1 + below(4); change < changes && text.size() > 20;
         ++change) {
      const size_t at = below(text.size() - 10), length = 1 + below(8);
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, text.substr(below(text.size() - 10), length));
          break;
        case 2:
          text[at] = kBytes[below(sizeof kBytes - 1)];
          break;
        default:
          text.insert(at, 1, kBytes[below(sizeof kBytes - 1)]);
          break;
      }
    }
    survives(text);
  }
}

TEST(Robustness, EnormousTexts) {
  const auto repeated = [](const std::string& piece, size_t times) {
    std::string result;
    for (size_t i = 0; i < times; ++i) result += piece;
    return result;
  };
  constexpr size_t kMany = 20000;
  for (const char* piece : {"(",          "[",     "{",
                            ")",          "}",     "-",
                            "not ",       "x^",    "if a then b else ",
                            "if ",        "a+",    "a(",
                            "a[0]",       "a.b.",  "fn f() {\n",
                            "module m {", "= ",    "/* ",
                            "\"",         "\"\n",  "$",
                            "1.",         "x = (", ";",
                            "use ",       "\xFF",  "## doc\n",
                            "for "}) {
    survives("y = " + repeated(piece, kMany));
    survives(repeated(piece, kMany));
  }
  survives("y = " + repeated("(", kMany) + repeated(")", kMany));
  survives("y = " + repeated("{a=", kMany) + repeated("}", kMany));
  survives("y = [" + repeated("1.5, ", kMany) + "]");
  survives("y = f(" + repeated("a = 1, ", kMany) + ")");
}

}  // namespace
}  // namespace rlc::syntax
