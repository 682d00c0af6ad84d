// The language configuration and the problem matcher, whose patterns VS Code would drop silently if they were wrong.
const assert = require("node:assert");
const test = require("node:test");

const configuration = require("../language-configuration.json");
const manifest = require("../package.json");

const indents = (line) => new RegExp(configuration.indentationRules.increaseIndentPattern, "u").test(line);
const goesOn = (line) => new RegExp(configuration.indentationRules.indentNextLinePattern).test(line);
const closes = (line) => new RegExp(configuration.indentationRules.decreaseIndentPattern).test(line);

test("names are words, primes and Greek letters too", () => {
  const word = new RegExp(configuration.wordPattern, "gu");
  assert.deepEqual("x' = θ_1[t+1] + x₀ * 2".match(word), ["x'", "θ_1", "t", "x₀"]);
});

test("lines that open a bracket indent", () => {
  assert.ok(indents("fn f(x: f32) -> f32 {"));
  assert.ok(indents('report "a {" = max(   # why'));
  assert.ok(!indents("x = f(1)"));
  assert.ok(!indents("x = 1  # see {"));
  assert.ok(closes("  }"));
});

test("a right side goes on in the next line", () => {
  assert.ok(goesOn("G = r +"));
  assert.ok(goesOn("a = if t == 0 then"));
  assert.ok(!goesOn("x = strand"));
  assert.ok(!goesOn("# why ="));
});

test("documentation goes on in the next line", () => {
  const rules = configuration.onEnterRules.map((rule) => new RegExp(rule.beforeText));
  assert.ok(rules[0].test("  ## The return."));
  assert.ok(!rules[0].test("# The return."));
});

test("diagnostics of `rlc run` become problems", () => {
  const pattern = new RegExp(manifest.contributes.problemMatchers[0].pattern.regexp);
  assert.deepEqual(
    pattern.exec("a/b.rl:3:7: error[E0301]: `x` is read at t = 4").slice(1),
    ["a/b.rl", "3", "7", "error", "E0301", "`x` is read at t = 4"],
  );
});
