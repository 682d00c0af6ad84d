#include "compiler/format/format.h"

#include <gtest/gtest.h>

#include "compiler/diagnostics/render.h"
#include "compiler/syntax/test_support.h"

namespace rlc::format {
namespace {

std::string formatted(const std::string& text) {
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  const auto result = format(sources, sources.add("a.rl", text), sink);
  if (result.differs) return "differs:\n" + layOut(text);
  if (!result.text) return render(sink, sources);
  EXPECT_EQ(layOut(*result.text), *result.text) << "not idempotent";
  return *result.text;
}

TEST(Format, PutsSpacesAroundOperators) {
  EXPECT_EQ(formatted("y=a+b*-c  -d//2"), "y = a + b * -c - d // 2\n");
  EXPECT_EQ(formatted("y=not a and(b or c==d)"), "y = not a and (b or c == d)\n");
  EXPECT_EQ(formatted("y = 2 ^ -x ^ 2"), "y = 2^-x^2\n");
  EXPECT_EQ(formatted("y=W@x+c%2"), "y = W @ x + c % 2\n");
}

TEST(Format, KeepsTheArithmeticOfSubscriptsAndRangesTight) {
  EXPECT_EQ(formatted("x[ t + 1 ]=x [t]"), "x[t+1] = x[t]\n");
  EXPECT_EQ(formatted("y = sum( x[k] for k in max(0,t - n) ..t + 1 if k%2==0)"),
            "y = sum(x[k] for k in max(0, t-n)..t+1 if k % 2 == 0)\n");
  EXPECT_EQ(formatted("v[ .. ,t in 0 ..= T - 1]=0.0"), "v[.., t in 0..=T-1] = 0.0\n");
  EXPECT_EQ(formatted("y = x[t:0 .. T,b :0][ 1, ..]"), "y = x[t: 0..T, b: 0][1, ..]\n");
  EXPECT_EQ(formatted("y = x[if t==0 then 1 else t - 1]"), "y = x[if t == 0 then 1 else t-1]\n");
  EXPECT_EQ(formatted("y = [a - 1, -b]"), "y = [a - 1, -b]\n");
}

TEST(Format, WritesCallsListsAndRecords) {
  EXPECT_EQ(formatted("y=f (a,b=1 , c = [1,2 ] ) . g( )"), "y = f(a, b = 1, c = [1, 2]).g()\n");
  EXPECT_EQ(formatted("y={a=1,b={c=2}}"), "y = { a = 1, b = { c = 2 } }\n");
  EXPECT_EQ(formatted("y = if(a) then(b) else [c] [0]"), "y = if (a) then (b) else [c][0]\n");
}

TEST(Format, WritesDeclarations) {
  EXPECT_EQ(formatted("use std . nn . { Dense,Mlp }"), "use std.nn.{Dense, Mlp}\n");
  EXPECT_EQ(formatted("use .helpers.gae  as adv"), "use .helpers.gae as adv\n");
  EXPECT_EQ(formatted("use ..a"), "use ..a\n");
  EXPECT_EQ(formatted("index u in 0 .. 100 until done [ u ]"), "index u in 0..100 until done[u]\n");
  EXPECT_EQ(formatted("fn f(x:f32[ n+1 ],γ :f32=0.5)over t->f32=x"),
            "fn f(x: f32[n+1], γ: f32 = 0.5) over t -> f32 = x\n");
  EXPECT_EQ(formatted("record P{x:f32,v:f32[2]=[0.0,0.0]}"),
            "record P { x: f32, v: f32[2] = [0.0, 0.0] }\n");
  EXPECT_EQ(formatted("save θ  as \"p\" each (2*n) i"), "save θ as \"p\" each (2 * n) i\n");
  EXPECT_EQ(formatted("report \"a\"=x  each 10  i"), "report \"a\" = x each 10 i\n");
}

TEST(Format, IndentsBlocks) {
  EXPECT_EQ(formatted("fn f(x) { y=x\n  \n\n z = y\n y + z }"),
            "fn f(x) {\n  y = x\n\n  z = y\n  y + z\n}\n");
  EXPECT_EQ(formatted("env E\n{\nstate{x:f32,v:f32\nw:f32}\naction Discrete(2)\nreset { "
                      "x=0.0;v=0.0 }\nstep(a)\n{ "
                      "x' = x+v\n}\n}"),
            "env E {\n  state {\n    x: f32,\n    v: f32\n    w: f32\n  }\n  action Discrete(2)\n  "
            "reset { x = 0.0; v = 0.0 "
            "}\n  step(a) {\n    x' = x + v\n  }\n}\n");
}

TEST(Format, IndentsContinuedLines) {
  EXPECT_EQ(formatted("y = a +\nb +\n      c"), "y = a +\n  b +\n  c\n");
  EXPECT_EQ(formatted("y = f(a,\n b\n, [1,\n2\n])"), "y = f(a,\n  b,\n  [1,\n    2\n  ])\n");
  EXPECT_EQ(formatted("y = if a\nthen b\nelse c"), "y = if a\n  then b\n  else c\n");
}

TEST(Format, AlignsEquationsOnConsecutiveLines) {
  EXPECT_EQ(formatted("a = 1\nlong ~ f()\n\nb = 2"), "a    = 1\nlong ~ f()\n\nb = 2\n");
  EXPECT_EQ(formatted("param a=1\nparam bcd : f32= 2.0"),
            "param a        = 1\nparam bcd: f32 = 2.0\n");
  EXPECT_EQ(
      formatted("module M {\nweight W:f32[m, n]~d\nweight c: f32[m]=0.0\napply(x)=x\n}"),
      "module M {\n  weight W: f32[m, n] ~ d\n  weight c: f32[m]    = 0.0\n  apply(x) = x\n}\n");
  EXPECT_EQ(formatted("(s[i, b, t+1], r, terminated, truncated)=E.step(s, a)\nx=1\nyy=2"),
            "(s[i, b, t+1], r, terminated, truncated) = E.step(s, a)\nx  = 1\nyy = 2\n");
}

TEST(Format, AlignsMethodsOfOneLine) {
  EXPECT_EQ(formatted("module M {\na() = 1.0\nlonger(x) = x\ny = 2.0\n}"),
            "module M {\n  a()       = 1.0\n  longer(x) = x\n  y = 2.0\n}\n");
}

TEST(Format, KeepsComments) {
  EXPECT_EQ(formatted("# a\n\n\n\n#b\nx=1# c\nyy=2     # d\n"),
            "# a\n\n#b\nx  = 1  # c\nyy = 2  # d\n");
  EXPECT_EQ(formatted("y = f(a, # one\n  # two\n b /* three */)/*four*/+1"),
            "y = f(a,  # one\n  # two\n  b /* three */) /*four*/ + 1\n");
  EXPECT_EQ(formatted("fn f(x) { # why\n x # end\n # last\n}"),
            "fn f(x) {  # why\n  x  # end\n  # last\n}\n");
  EXPECT_EQ(formatted("/* a\n   b */ x = 1"), "/* a\n   b */ x = 1\n");
  EXPECT_EQ(formatted("record P {\n## first\nx: f32\n## second\ny: f32 }"),
            "record P {\n  ## first\n  x: f32\n  ## second\n  y: f32\n}\n");
}

TEST(Format, KeepsTheTextThatPrintShows) {
  EXPECT_EQ(formatted("print  x+1 ,f( a)"), "print x+1, f( a)\n");
  EXPECT_EQ(formatted("print \"l\",x+1"), "print \"l\", x + 1\n");
  EXPECT_EQ(formatted("print x and y each 2  i"), "print x and y each 2 i\n");
}

TEST(Format, BreaksLongLinesWhereTheyBindLeast) {
  const std::string name(30, 'a');
  EXPECT_EQ(formatted("y = f(" + name + " + " + name + ", " + name + " * " + name + ")"),
            "y = f(" + name + " + " + name + ",\n  " + name + " * " + name + ")\n");
  EXPECT_EQ(formatted("y = " + name + " * " + name + " + " + name + " * " + name),
            "y = " + name + " * " + name + " +\n  " + name + " * " + name + "\n");
  EXPECT_EQ(formatted("fn f(x) { " + name + " = " + name + "; b = " + name + "; x }"),
            formatted("fn f(x) {\n" + name + " = " + name + ";\nb = " + name + ";\nx\n}"));
}

TEST(Format, EndsLinesInOneWay) {
  EXPECT_EQ(formatted("x = 1\r\n\r\n\r\ny = 2 # a\r\n"), "x = 1\n\ny = 2  # a\n");
  EXPECT_EQ(formatted("\n\n x = 1 \t\n\n\n"), "x = 1\n");
  EXPECT_EQ(formatted(""), "");
  EXPECT_EQ(formatted("  \n # only\n"), "# only\n");
  EXPECT_EQ(formatted("\uFEFFx = 1"), "x = 1\n");
}

TEST(Format, RefusesBrokenFiles) {
  EXPECT_NE(formatted("y = (1").find("error[E"), std::string::npos);
  EXPECT_NE(formatted("x = = 1\n y=2").find("error[E"), std::string::npos);
}

TEST(Format, SurvivesAnything) {
  EXPECT_NO_THROW(layOut(std::string("}}]])) {{ \x00\xff ' \" .. ..= - {", 28)));
  EXPECT_NO_THROW(layOut(std::string(100000, '(')));
  EXPECT_NO_THROW(layOut(std::string(100000, '.')));
  EXPECT_NO_THROW(layOut("/*"));
  EXPECT_NO_THROW(layOut("\"abc\\"));
}

TEST(Format, FormatsTheWholeLanguage) {
  const std::string once = formatted(syntax::kSample);
  EXPECT_EQ(once.find("differs"), std::string::npos) << once;
  EXPECT_NE(once.find("alive[i, b, 0]   = 1.0\nalive[i, b, t+1] = if"), std::string::npos) << once;
}

}  // namespace
}  // namespace rlc::format
