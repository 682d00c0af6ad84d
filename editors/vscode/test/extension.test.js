// The packaged bundle in a stand-in for VS Code: it loads, registers what the manifest promises, and runs programs.
const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");

const manifest = require("../package.json");

class Uri {
  constructor(scheme, at) { this.scheme = scheme; this.path = at; this.fsPath = at; }
  static parse(text) { const url = new URL(text); return new Uri(url.protocol.slice(0, -1), decodeURIComponent(url.pathname)); }
  static from(parts) { return new Uri(parts.scheme, parts.path); }
  toString() { return `${this.scheme}://${this.path}`; }
}

// Whatever the language client's own classes extend or read while they are loaded.
const anything = () => new Proxy(class {}, { get: (target, key) => (key in target || typeof key === "symbol" ? target[key] : anything()) });

function standIn(settings) {
  const seen = { commands: new Map(), tasks: [], shown: [], providers: new Map() };
  const api = {
    Uri, TaskScope: { Workspace: 2 }, TaskPanelKind: { Dedicated: 2 }, ProgressLocation: { Window: 10 }, ViewColumn: { Beside: -2 },
    Task: class { constructor(definition, scope, name, source, execution, matchers) { Object.assign(this, { definition, name, execution, matchers }); } },
    ProcessExecution: class { constructor(process, args, options) { Object.assign(this, { process, args, options }); } },
    EventEmitter: class { event = () => ({ dispose() {} }); fire() {} },
    window: {
      createOutputChannel: () => ({ error() {}, dispose() {} }),
      withProgress: (_, work) => work({}, { onCancellationRequested() {} }),
      showTextDocument: async (document) => seen.shown.push(document),
    },
    workspace: {
      isTrusted: true, workspaceFolders: undefined,
      getConfiguration: () => ({ get: (key, otherwise) => settings[key] ?? otherwise }),
      getWorkspaceFolder: () => undefined, asRelativePath: (uri) => path.basename(uri.fsPath),
      openTextDocument: async (uri) => ({ uri, isDirty: false, isUntitled: false, getText: () => seen.providers.get(uri.scheme)?.provideTextDocumentContent(uri) }),
      registerTextDocumentContentProvider: (scheme, provider) => { seen.providers.set(scheme, provider); return { dispose() {} }; },
      onDidCloseTextDocument: () => ({ dispose() {} }), onDidGrantWorkspaceTrust: () => ({ dispose() {} }),
      onDidChangeConfiguration: () => ({ dispose() {} }),
    },
    commands: { registerCommand: (name, run) => { seen.commands.set(name, run); return { dispose() {} }; } },
    tasks: { executeTask: async (task) => seen.tasks.push(task) },
  };
  const vscode = new Proxy(api, { get: (target, key) => target[key] ?? anything() });
  return { vscode, seen };
}

async function activated(settings) {
  const { vscode, seen } = standIn({ "server.enabled": false, ...settings });
  const load = Module._load;
  Module._load = function (request, ...rest) { return request === "vscode" ? vscode : load.call(this, request, ...rest); };
  try {
    const bundle = require.resolve("../dist/extension.js");
    delete require.cache[bundle];
    await require(bundle).activate({ subscriptions: [] });
  } finally {
    Module._load = load;
  }
  return seen;
}

test("every command of the manifest is there", async () => {
  const seen = await activated({});
  assert.deepEqual([...seen.commands.keys()].sort(), manifest.contributes.commands.map((c) => c.command).sort());
});

test("a program is run as a task, from a code lens's URI", async () => {
  const seen = await activated({ "server.path": "/opt/rlc", "run.arguments": ["n=3"] });
  await seen.commands.get("rl.run")("file:///tmp/a%20b.rl");
  const [task] = seen.tasks;
  assert.equal(task.execution.process, "/opt/rlc");
  assert.deepEqual(task.execution.args, ["run", "/tmp/a b.rl", "n=3"]);
  assert.ok(manifest.contributes.problemMatchers.some((matcher) => `$${matcher.name}` === task.matchers));
  assert.equal(task.definition.type, manifest.contributes.taskDefinitions[0].type);
});

test("what the program explains is shown beside it", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rl-explain-"));
  const program = path.join(folder, "rlc");
  fs.writeFileSync(program, "#!/bin/sh\necho \"$@\"\n", { mode: 0o755 });
  const seen = await activated({ "server.path": program });
  await seen.commands.get("rl.explainSchedule")(new Uri("file", "/tmp/a.rl"));
  assert.equal(seen.shown[0].getText(), "explain schedule /tmp/a.rl\n");
  fs.rmSync(folder, { recursive: true });
});

test("a program that is not there is said to be", async () => {
  const seen = await activated({ "server.path": "/no/such/rlc" });
  await seen.commands.get("rl.explainSchedule")(new Uri("file", "/tmp/a.rl"));
  assert.match(seen.shown[0].getText(), /rl\.server\.path/);
});
