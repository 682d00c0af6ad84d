const assert = require("node:assert");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");

const program = require("../dist/program.js");

test("a bare name is left to PATH", () => {
  assert.equal(program.resolveProgram("rlc", "/work"), "rlc");
  assert.equal(program.resolveProgram("  ", "/work"), "rlc");
});

test("paths of the settings are resolved", () => {
  assert.equal(program.resolveProgram("${workspaceFolder}/build/rlc", "/a$&b"), "/a$&b/build/rlc");
  assert.equal(program.resolveProgram("build/rlc", "/a"), path.join("/a", "build/rlc"));
  assert.equal(program.resolveProgram("/usr/bin/rlc", "/a"), "/usr/bin/rlc");
  assert.equal(program.resolveProgram("~/rlc", undefined), path.join(os.homedir(), "rlc"));
});

test("commands", () => {
  assert.deepEqual(program.serverInvocation("rlc", ["-v"]), { program: "rlc", arguments: ["lsp", "-v"] });
  assert.deepEqual(program.runInvocation("rlc", "a b.rl", ["n=3"]).arguments, ["run", "a b.rl", "n=3"]);
  assert.deepEqual(program.explainInvocation("rlc", "a.rl").arguments, ["explain", "schedule", "a.rl"]);
});

test("what the panel says", () => {
  assert.match(program.explainReport("", "", "ENOENT"), /rl\.server\.path/);
  assert.equal(program.explainReport("for t\n\n", "a.rl:1:1: warning\n", undefined), "for t\n\na.rl:1:1: warning\n");
  assert.equal(program.explainReport("", "", 1), "rlc said nothing (exit status 1).\n");
});
