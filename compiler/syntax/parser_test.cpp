#include "compiler/syntax/parser.h"

#include "compiler/syntax/test_support.h"

namespace rlc::syntax {
namespace {

TEST(Parser, TheSampleHasNoErrors) {
  const Parsed parsed(kSample);
  EXPECT_EQ(parsed.rendered(), "");
  EXPECT_TRUE(parsed.file.complete);
  EXPECT_EQ(parsed.file.items.size(), 40u);
}

TEST(Parser, EmptyTextsAreEmptyFiles) {
  for (const char* text :
       {"", "\n\n", "# only a comment", "/* a\nb */\n", "\xEF\xBB\xBF", ";;", "\r\n \t\r\n"}) {
    const Parsed parsed(text);
    EXPECT_TRUE(parsed.file.items.empty()) << text;
    EXPECT_TRUE(parsed.file.complete) << parsed.rendered();
  }
}

TEST(Parser, Use) {
  const Parsed parsed("use std.nn.Mlp\nuse ..lib.{a, b}\nuse .x as y\nuse \"d/e.rl\" as f");
  const auto& library = parsed.item<UseItem>(0);
  EXPECT_EQ(library.leading_dots, 0);
  ASSERT_EQ(library.path.size(), 3u);
  EXPECT_EQ(library.path[2].text, "Mlp");
  EXPECT_EQ(parsed.text(library.path[1].span), "nn");
  EXPECT_EQ(parsed.item<UseItem>(1).leading_dots, 2);
  EXPECT_EQ(parsed.item<UseItem>(1).members[1].text, "b");
  EXPECT_EQ(parsed.item<UseItem>(2).leading_dots, 1);
  EXPECT_EQ(parsed.item<UseItem>(2).alias->text, "y");
  EXPECT_EQ(*parsed.item<UseItem>(3).file, "d/e.rl");
}

TEST(Parser, Params) {
  const Parsed parsed("param a = 1, b: f32 = 2.5\nparam c: f32[3] = [1, 2, 3]");
  const auto& both = parsed.item<ParamItem>(0);
  ASSERT_EQ(both.params.size(), 2u);
  EXPECT_EQ(both.params[1].name.text, "b");
  EXPECT_EQ(print(*both.params[1].type), "f32");
  EXPECT_EQ(print(*both.params[1].value), "2.5");
  EXPECT_EQ(print(*parsed.item<ParamItem>(1).params[0].type), "f32[3]");
}

TEST(Parser, Indices) {
  const Parsed parsed("index t in 0..=T-1\nindex s in lo..hi until done[s] or stop");
  EXPECT_TRUE(parsed.item<IndexItem>(0).range.inclusive);
  EXPECT_EQ(print(*parsed.item<IndexItem>(0).range.hi), "T - 1");
  EXPECT_EQ(print(*parsed.item<IndexItem>(1).until), "done[s] or stop");
}

TEST(Parser, RecordsOnOneLineAndOnMany) {
  const Parsed parsed(
      "record P { x: f32, v: f32[2] = 0.0 }\nrecord Q {\n  ## left\n  x: f32\n\n  y: (f32, "
      "bool),\n}\nrecord R\n{\n x: f32\n}");
  EXPECT_EQ(parsed.rendered(), "");
  EXPECT_EQ(parsed.item<RecordItem>(0).fields[1].name.text, "v");
  EXPECT_EQ(parsed.item<RecordItem>(1).fields.size(), 2u);
  EXPECT_EQ(parsed.item<RecordItem>(1).fields[0].doc, "left");
  EXPECT_EQ(print(parsed.item<RecordItem>(1).fields[1].type), "(f32, bool)");
}

TEST(Parser, Functions) {
  const Parsed parsed(
      "fn f(x: f32[n, m + 1], k = 3) over t, b -> f32 {\n  y = x\n  y\n}\nfn g() = 1\nloss L(x) = "
      "x\nloss M = 2.0");
  EXPECT_EQ(parsed.rendered(), "");
  const auto& f = parsed.item<FnItem>(0);
  EXPECT_EQ(print(*f.parameters[0].type), "f32[n, m + 1]");
  EXPECT_EQ(print(*f.parameters[1].default_value), "3");
  EXPECT_EQ(f.over[1].text, "b");
  EXPECT_EQ(print(*f.result), "f32");
  ASSERT_EQ(f.body.items.size(), 2u);
  EXPECT_EQ(print(*f.body.items[1].as<ExprItem>()->value), "y");
  EXPECT_EQ(print(*parsed.item<FnItem>(1).body.expr), "1");
  EXPECT_EQ(parsed.item<FnItem>(2).kind, FnItem::Kind::Loss);
  EXPECT_TRUE(parsed.item<FnItem>(3).parameters.empty());
}

TEST(Parser, ModulesHaveWeightsAndMethods) {
  const Parsed parsed(
      "module D(n: int) {\n  weight W: f32[n] ~ Normal(0.0, 1.0)\n  weight c: f32 = 0.0\n  inner = "
      "D(n)\n"
      "  apply(x: f32[n]) -> f32 = W @ x + c\n  twice(x) over t {\n    apply(x)\n  }\n}");
  EXPECT_EQ(parsed.rendered(), "");
  const auto& module = parsed.item<ModuleItem>();
  ASSERT_EQ(module.members.size(), 5u);
  EXPECT_TRUE(module.members[0].as<WeightItem>()->drawn);
  EXPECT_FALSE(module.members[1].as<WeightItem>()->drawn);
  EXPECT_EQ(module.members[3].as<FnItem>()->name.text, "apply");
  EXPECT_EQ(module.members[4].as<FnItem>()->kind, FnItem::Kind::Method);
}

TEST(Parser, Environments) {
  const Parsed parsed(
      "env E {\n  param g = 9.8, m = 1.0\n  state { x: f32, n: i32 }\n  action Discrete(2)\n  "
      "reset { x ~ Uniform(0, 1); n = 0 }\n"
      "  step(a) {\n    x' = x + a\n    n' = n + 1\n  }\n  observe = [x]\n  terminated = x' > 1\n  "
      "render { rect(x); line(x) }\n}");
  EXPECT_EQ(parsed.rendered(), "");
  const auto& env = parsed.item<ModuleItem>();
  EXPECT_EQ(env.kind, ModuleItem::Kind::Env);
  EXPECT_EQ(env.members[1].as<StateItem>()->fields[1].name.text, "n");
  EXPECT_EQ(print(*env.members[2].as<ActionItem>()->space), "Discrete(2)");
  EXPECT_EQ(env.members[3].as<BlockItem>()->items.size(), 2u);
  const auto* step = env.members[4].as<FnItem>();
  EXPECT_EQ(step->body.items[0].as<EquationItem>()->left.name.text, "x'");
  EXPECT_EQ(env.members[5].as<EquationItem>()->left.name.text, "observe");
}

TEST(Parser, LeftSides) {
  const Parsed parsed(
      "x = 1\nx[t+1, 0] = 1\nv[.., t in 0..=T] = 1\nw[i, j in 0..i] ~ d where i > 2\n(a, (b[t], "
      "c)) = f()\nx[end(t)] = 0");
  EXPECT_EQ(parsed.rendered(), "");
  EXPECT_FALSE(parsed.item<EquationItem>(0).left.subscripted);
  EXPECT_EQ(print(parsed.item<EquationItem>(1).left.subscripts[0]), "t + 1");
  EXPECT_EQ(parsed.item<EquationItem>(2).left.subscripts[0].kind, Entry::Kind::Rest);
  EXPECT_EQ(print(parsed.item<EquationItem>(2).left.subscripts[1]), "t in 0..=T");
  EXPECT_TRUE(parsed.item<EquationItem>(3).drawn);
  EXPECT_EQ(print(*parsed.item<EquationItem>(3).where), "i > 2");
  const Pattern& tuple = parsed.item<EquationItem>(4).left;
  ASSERT_TRUE(tuple.tuple);
  EXPECT_EQ(tuple.elements[1].elements[0].name.text, "b");
  EXPECT_TRUE(tuple.elements[1].elements[0].subscripted);
}

TEST(Parser, Sinks) {
  const Parsed parsed(
      "print x[t] +  1 # why\nprint \"a b\", x, y\nprint \"only\"\nreport \"r\" = x each 10 "
      "i\nsave p, q as \"n\" each (k + 1) i");
  EXPECT_EQ(parsed.rendered(), "");
  EXPECT_EQ(parsed.item<SinkItem>(0).texts[0], "x[t] + 1");
  EXPECT_FALSE(parsed.item<SinkItem>(0).label);
  EXPECT_EQ(*parsed.item<SinkItem>(1).label, "a b");
  EXPECT_EQ(parsed.item<SinkItem>(1).values.size(), 2u);
  EXPECT_EQ(parsed.item<SinkItem>(2).values.size(), 1u);
  EXPECT_EQ(print(*parsed.item<SinkItem>(3).each->every), "10");
  EXPECT_EQ(parsed.item<SinkItem>(3).each->index.text, "i");
  EXPECT_EQ(parsed.item<SinkItem>(4).kind, SinkItem::Kind::Save);
  EXPECT_EQ(print(*parsed.item<SinkItem>(4).each->every), "k + 1");
}

TEST(Parser, ContextualWordsAreNamesElsewhere) {
  const Parsed parsed(
      "loss = 1\nstate = 2\nindex = loss + state\naction[t] = each\nreward = f(step = over, until "
      "= as)\nprint = 3\n"
      "module.use = 1\nE.reset().step(env).policy ~ d\n");
  EXPECT_EQ(parsed.item<EquationItem>(0).left.name.text, "loss");
  EXPECT_EQ(parsed.item<EquationItem>(3).left.name.text, "action");
  EXPECT_EQ(parsed.item<EquationItem>(5).left.name.text, "print");
  EXPECT_EQ(parsed.errors().size(), 2u)
      << "only the two left sides that are none: " << parsed.rendered();
}

TEST(Parser, DocumentationBelongsToWhatFollows) {
  const Parsed parsed(
      "## one\n##  two\nparam a = 1\n\n## lost\n\nparam b = 2\n# plain\nparam c = 3\nx = 1 ## "
      "beside\ny = 2\n### ruler\nz = 3");
  EXPECT_EQ(parsed.file.items[0].doc, "one\n two");
  EXPECT_EQ(parsed.item<ParamItem>(0).params[0].doc, "one\n two");
  EXPECT_EQ(parsed.file.items[1].doc, "");
  EXPECT_EQ(parsed.file.items[2].doc, "");
  EXPECT_EQ(parsed.file.items[4].doc, "") << "a comment beside code is about that";
  EXPECT_EQ(parsed.file.items[5].doc, "");
  EXPECT_EQ(parsed.file.comments.size(), 6u);
}

TEST(Parser, SpansAreExact) {
  const Parsed parsed("θ[t+1] = f(γ * x, k = 2) # c\n");
  const auto& equation = parsed.item<EquationItem>();
  EXPECT_EQ(parsed.text(parsed.file.items[0].span), "θ[t+1] = f(γ * x, k = 2)");
  EXPECT_EQ(parsed.text(equation.left.span), "θ[t+1]");
  EXPECT_EQ(parsed.text(equation.left.name.span), "θ");
  EXPECT_EQ(parsed.text(equation.op_span), "=");
  EXPECT_EQ(parsed.text(equation.value->span), "f(γ * x, k = 2)");
  const auto* call = equation.value->as<CallExpr>();
  EXPECT_EQ(parsed.text(call->arguments[0].value->as<BinaryExpr>()->op_span), "*");
  EXPECT_EQ(parsed.text(call->arguments[1].name->span), "k");
}

TEST(Parser, WindowsLineBreaksAndAMarkAtTheBeginning) {
  const Parsed parsed("\xEF\xBB\xBFx = 1 +\r\n  2\r\nθ = 2\r\n");
  EXPECT_EQ(parsed.rendered(), "");
  ASSERT_EQ(parsed.file.items.size(), 2u);
  EXPECT_EQ(parsed.text(parsed.item<EquationItem>(1).left.span), "θ");
}

TEST(Parser, SoleExpressions) {
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  const auto parsed = [&](const char* text) {
    const ExprPtr expr = parseExpression(sources, sources.add("e", text), sink);
    return expr ? print(*expr) : "";
  };
  EXPECT_EQ(parsed("1 + 2 * x[t]"), "1 + 2 * x[t]");
  EXPECT_EQ(parsed("[1,\n 2]\n"), "[1, 2]");
  EXPECT_EQ(parsed("std"), "std");
  EXPECT_TRUE(sink.empty());
  EXPECT_EQ(parsed("x = 1"), "");
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed("1 2"), "");
  EXPECT_EQ(parsed("(1"), "");
  EXPECT_EQ(sink.errorCount(), 4u) << render(sink, sources);
}

TEST(Parser, KnowsWhatIsIncomplete) {
  for (const char* text :
       {"x = (1 +", "x =", "x = 1 +\n", "fn f(x) -> f32\n", "fn f(x = 1) {\n  x", "## about x\n",
        "/* more", "param a = 1,", "y = if a then b else", "x[", "a = 1\nb = {", "y = x where"})
    EXPECT_TRUE(isIncomplete(text)) << text;
  for (const char* text : {"", "\n", "x = 1", "fn f(x) = x\n", "fn f(x) {\n  x\n}\n", "# note",
                           "## about x\nx = 1", "x = 1)", "x = \"open", "x ~ Normal(0.0, 1.0)",
                           "x = 1 $", "record P { x: f32 }", "x = 1 ## what it is"})
    EXPECT_FALSE(isIncomplete(text)) << text;
}

}  // namespace
}  // namespace rlc::syntax
