// The server through the protocol library that VS Code's clients use; skipped (77) where it or node is not installed.
//   node protocol_test.cjs --rlc PATH
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const { createRequire } = require("node:module");
const path = require("node:path");

const installed = createRequire(path.join(__dirname, "..", "..", "editors", "vscode", "package.json"));
let protocol;
try {
  protocol = installed("vscode-languageserver-protocol/node");
} catch {
  console.log("vscode-languageserver-protocol is not installed in editors/vscode: skipped");
  process.exit(77);
}

const rlc = process.argv[process.argv.indexOf("--rlc") + 1];
const server = spawn(rlc, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = protocol.createMessageConnection(
  new protocol.StreamMessageReader(server.stdout), new protocol.StreamMessageWriter(server.stdin));
const uri = "file:///nowhere/decay.rl";
const textDocument = { uri };
const published = [];
let woken = () => {};
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
  published.push(params);
  woken();
});
connection.listen();

async function diagnosticsOf(version) {
  for (;;) {
    const found = published.find((each) => each.version === version);
    if (found) return found.diagnostics;
    await new Promise((resolve) => { woken = resolve; });
  }
}

async function session() {
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: null,
    capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
  });
  assert.equal(capabilities.textDocumentSync.change, protocol.TextDocumentSyncKind.Incremental);
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const text = "index t in 0..3\nx[0] = 1.0\nx[t+1] = 0.5 * xx\nprint x\n";
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "rl", version: 1, text },
  });
  const [wrong] = await diagnosticsOf(1);
  assert.equal(wrong.code, "E0101");
  assert.deepEqual(wrong.range, { start: { line: 2, character: 15 }, end: { line: 2, character: 17 } });

  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
    textDocument, range: wrong.range, context: { diagnostics: [wrong] },
  });
  assert.ok(Array.isArray(actions));
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: wrong.range, text: "x" }],
  });
  assert.deepEqual(await diagnosticsOf(2), []);

  const position = { line: 3, character: 6 };
  const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument, position });
  assert.match(hover.contents.value, /f32/);
  const definition = await connection.sendRequest(protocol.DefinitionRequest.type, { textDocument, position });
  assert.equal(definition.range.start.line, 1);
  const edit = await connection.sendRequest(protocol.RenameRequest.type, { textDocument, position, newName: "y" });
  assert.equal(edit.changes[uri].length, 4);
  const lenses = await connection.sendRequest(protocol.CodeLensRequest.type, { textDocument });
  assert.deepEqual(lenses.map((lens) => lens.command.command), ["rl.run", "rl.explainSchedule"]);
  const hints = await connection.sendRequest(protocol.InlayHintRequest.type, {
    textDocument, range: { start: { line: 0, character: 0 }, end: { line: 4, character: 0 } },
  });
  assert.equal(hints.length, 2);
  const begin = performance.now();
  const list = await connection.sendRequest(protocol.CompletionRequest.type, { textDocument, position });
  console.log(`completion: ${list.items.length} items, ${(performance.now() - begin).toFixed(0)} ms`);
  assert.ok(list.items.some((item) => item.label === "x"));
  const tokens = await connection.sendRequest(protocol.SemanticTokensRequest.type, { textDocument });
  assert.equal(tokens.data.length % 5, 0);
  await assert.rejects(connection.sendRequest("no/such"), { code: protocol.ErrorCodes.MethodNotFound });

  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  const status = server.exitCode ?? await new Promise((resolve) => server.once("exit", resolve));
  assert.equal(status, 0);
}

const limit = setTimeout(() => { console.error("no answer within a minute"); server.kill(); process.exit(1); }, 60000);
session().then(() => { clearTimeout(limit); console.log("passed"); process.exit(0); },
  (error) => { console.error(error); server.kill(); process.exit(1); });
