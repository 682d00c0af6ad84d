// The picture of the documentation: npm run picture -- PROGRAM.rl PICTURE.png. Needs Chromium ($CHROMIUM, or on PATH).
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

// Of a token's scopes, from the inside out, the first that has a colour here decides.
const kColours = [
  ["comment.line.documentation", "#3f7f5f; font-style: italic"],
  ["comment", "#6a737d; font-style: italic"],
  ["constant.character.escape", "#b08800"],
  ["string", "#0a6e31"],
  ["constant", "#0550ae"],
  ["keyword.declaration", "#a626a4; font-weight: 600"],
  ["keyword.other", "#a626a4; font-weight: 600"],
  ["keyword.control", "#a626a4"],
  ["keyword.operator.word", "#a626a4"],
  ["keyword.operator", "#57606a"],
  ["entity.name.function", "#6f42c1"],
  ["support.function", "#0b7285"],
  ["entity.name.type", "#953800"],
  ["entity.name.namespace", "#57606a"],
  ["support.type", "#953800"],
  ["variable.other.definition", "#111827; font-weight: 600"],
  ["variable.other.constant", "#0550ae"],
  ["variable.other.index", "#cf222e"],
  ["variable.parameter", "#9a6700"],
  ["punctuation.definition.comment", "#6a737d; font-style: italic"],
  ["punctuation.definition.string", "#0a6e31"],
  ["punctuation", "#57606a"],
];

const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);

function styleOf(scopes) {
  for (const scope of scopes.toReversed()) {
    const entry = kColours.find(([prefix]) => scope.split(" ").some((s) => s.startsWith(prefix)));
    if (entry) return `color: ${entry[1]}`;
  }
  return "";
}

async function loadGrammar() {
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const file = new URL("syntaxes/rl.tmLanguage.json", import.meta.url);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(file, "utf8"), "rl.json"),
  });
  return registry.loadGrammar("source.rl");
}

function highlighted(grammar, source) {
  let state = textmate.INITIAL;
  return source.trimEnd().split("\n").map((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    const spans = result.tokens.map((token) =>
      `<span style="${styleOf(token.scopes)}">${escaped(line.slice(token.startIndex, token.endIndex))}</span>`);
    return `<div>${spans.join("") || " "}</div>`;
  });
}

function page(lines, title) {
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #fff; }
    header { font: 600 13px sans-serif; color: #57606a; background: #f6f8fa; border-bottom: 1px solid #d0d7de; padding: 9px 16px; }
    main { counter-reset: line; padding: 10px 0; font: 14px/20px "DejaVu Sans Mono", monospace; white-space: pre; color: #24292f; }
    main div::before { counter-increment: line; content: counter(line); display: inline-block; width: 2.4em;
      margin-right: 1.2em; text-align: right; color: #8c959f; }
  </style><header>${escaped(title)}</header><main>${lines.join("")}</main>`;
}

const [program, picture] = process.argv.slice(2);
if (!picture) {
  console.error("usage: npm run picture -- PROGRAM.rl PICTURE.png");
  process.exit(2);
}
const source = readFileSync(program, "utf8");
const lines = highlighted(await loadGrammar(), source);
const widest = Math.max(...source.split("\n").map((line) => [...line].length));
const folder = mkdtempSync(path.join(tmpdir(), "rl-picture-"));
const html = path.join(folder, "page.html");
writeFileSync(html, page(lines, path.basename(program)));
execFileSync(process.env.CHROMIUM ?? "chromium", [
  "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2",
  `--user-data-dir=${path.join(folder, "profile")}`,
  `--window-size=${Math.ceil(widest * 8.45) + 72},${lines.length * 20 + 54}`,
  `--screenshot=${path.resolve(picture)}`, pathToFileURL(html).href,
], { stdio: "ignore" });
rmSync(folder, { recursive: true, force: true });
