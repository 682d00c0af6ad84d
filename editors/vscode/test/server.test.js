// A scripted editing session with the language server ($RLC), through the protocol library of the extension's client.
const assert = require("node:assert");
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { fileURLToPath, pathToFileURL } = require("node:url");

const protocol = require("vscode-languageserver-protocol/node");
const manifest = require("../package.json");

const program = process.env.RLC;
const skip = !program ? "RLC does not name the program"
  : spawnSync(program, ["lsp", "--help"]).status !== 0 ? "this rlc has no language server" : false;

class Session {
  constructor() {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "rl-server-"));
    this.server = spawn(program, ["lsp"], { cwd: this.folder, stdio: ["pipe", "pipe", "inherit"] });
    this.exited = new Promise((resolve) => this.server.on("exit", resolve));
    this.connection = protocol.createProtocolConnection(
      new protocol.StreamMessageReader(this.server.stdout), new protocol.StreamMessageWriter(this.server.stdin));
    this.waiting = [];
    this.connection.onNotification(protocol.PublishDiagnosticsNotification.type, (told) => {
      this.waiting = this.waiting.filter((entry) => !(entry.uri === told.uri && entry.wanted(told.diagnostics) && (entry.resolve(told.diagnostics), true)));
    });
    this.connection.onRequest(protocol.RegistrationRequest.type, () => undefined);
    this.connection.onRequest(protocol.WorkDoneProgressCreateRequest.type, () => undefined);
    this.connection.listen();
  }

  request(type, parameters) {
    return this.connection.sendRequest(type, parameters);
  }

  async begin() {
    const uri = pathToFileURL(this.folder).href;
    const result = await this.request(protocol.InitializeRequest.type, {
      processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: "test" }],
      capabilities: {
        textDocument: { completion: { completionItem: { snippetSupport: true } }, publishDiagnostics: { relatedInformation: true } },
        workspace: { workspaceFolders: true },
      },
    });
    await this.connection.sendNotification(protocol.InitializedNotification.type, {});
    return result.capabilities;
  }

  // The first diagnostics of the document that are as wanted.
  diagnostics(uri, wanted) {
    return new Promise((resolve) => this.waiting.push({ uri, wanted, resolve }));
  }

  uriOf(name) {
    return pathToFileURL(path.join(this.folder, name)).href;
  }

  async open(uri, text) {
    fs.writeFileSync(fileURLToPath(uri), text);
    this.uri = uri;
    this.text = text;
    this.version = 1;
    await this.connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
      textDocument: { uri: this.uri, languageId: "rl", version: 1, text },
    });
  }

  // The position of the nth occurrence of `what`.
  at(what, nth = 0) {
    let offset = -1;
    for (let i = 0; i <= nth; ++i) offset = this.text.indexOf(what, offset + 1);
    assert.notEqual(offset, -1, `${what} is not in the document`);
    const before = this.text.slice(0, offset).split("\n");
    return { line: before.length - 1, character: before.at(-1).length };
  }

  async replace(what, by) {
    const start = this.at(what);
    const range = { start, end: { line: start.line, character: start.character + what.length } };
    this.text = this.text.replace(what, () => by);
    await this.connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
      textDocument: { uri: this.uri, version: ++this.version }, contentChanges: [{ range, text: by }],
    });
  }

  place(what, nth) {
    return { textDocument: { uri: this.uri }, position: this.at(what, nth) };
  }

  async end() {
    await this.request(protocol.ShutdownRequest.type);
    await this.connection.sendNotification(protocol.ExitNotification.type);
    const status = await this.exited;
    this.connection.dispose();
    fs.rmSync(this.folder, { recursive: true });
    return status;
  }
}

const kProgram = `index t in 0..3
param decay = 0.5
## The state.
x[0]   = 1.0
x[t+1] = decay * xx
θ      = x + t
print θ
`;

test("an editing session", { skip, timeout: 60000 }, async () => {
  const session = new Session();
  const capabilities = await session.begin();
  for (const feature of ["hoverProvider", "definitionProvider", "renameProvider", "completionProvider", "documentFormattingProvider"]) {
    assert.ok(capabilities[feature], feature);
  }

  const uri = session.uriOf("decay.rl");
  const reported = session.diagnostics(uri, (list) => list.length > 0);
  await session.open(uri, kProgram);
  const errors = await reported;
  assert.equal(errors[0].severity, protocol.DiagnosticSeverity.Error);
  assert.match(errors[0].message, /xx/);
  assert.deepEqual(errors[0].range.start, session.at("xx"));

  const clean = session.diagnostics(session.uri, (list) => list.length === 0);
  await session.replace("xx", "x");
  await clean;

  const hover = await session.request(protocol.HoverRequest.type, session.place("x + t"));
  assert.match(JSON.stringify(hover.contents), /f32/);
  assert.match(JSON.stringify(hover.contents), /The state/);

  const definition = [await session.request(protocol.DefinitionRequest.type, session.place("decay * x"))].flat();
  assert.deepEqual((definition[0].range ?? definition[0].targetSelectionRange).start, session.at("decay"));

  const edit = await session.request(protocol.RenameRequest.type, { ...session.place("θ"), newName: "φ" });
  const edits = edit.changes?.[session.uri] ?? edit.documentChanges.flatMap((change) => change.edits);
  assert.equal(edits.length, 2);
  assert.ok(edits.every((each) => each.newText === "φ"));

  const completion = await session.request(protocol.CompletionRequest.type, session.place("decay * x"));
  const labels = (completion.items ?? completion).map((item) => item.label);
  assert.ok(labels.includes("decay") && labels.includes("x"), labels.slice(0, 20).join(" "));

  const lenses = await session.request(protocol.CodeLensRequest.type, { textDocument: { uri: session.uri } });
  const known = new Set(manifest.contributes.commands.map((command) => command.command));
  for (const lens of lenses) assert.ok(known.has(lens.command.command), lens.command.command);

  const formatted = await session.request(protocol.DocumentFormattingRequest.type, {
    textDocument: { uri: session.uri }, options: { tabSize: 2, insertSpaces: true },
  });
  assert.ok(Array.isArray(formatted) || formatted === null);
  assert.equal(await session.end(), 0);
});
