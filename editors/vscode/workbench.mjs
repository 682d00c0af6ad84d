// The packaged extension in a real VS Code: node workbench.mjs TOOLS RLC PICTURE.png. It opens a program with a mistake, sees
// colours, the diagnostic and a hover, mends the program, and takes a picture. TOOLS has code-server (VS Code for a browser) and
// playwright-core from npm; docs/editors.md says how. Needs rl-language.vsix and Chromium ($CHROMIUM, or on PATH).
import assert from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const program = `## The state.
param decay = 0.5
index t in 0..8
x[0]   = 1.0
x[t+1] = decay * xx
print x
`;
const kPatience = 60_000;

const [tools, rlc, picture] = process.argv.slice(2).map((name) => path.resolve(name));
if (!picture) {
  console.error("usage: node workbench.mjs TOOLS RLC PICTURE.png");
  process.exit(2);
}
const here = path.dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(path.join(tools, "package.json"))("playwright-core");
const code = path.join(tools, "node_modules", "code-server", "lib", "vscode");
const folder = mkdtempSync(path.join(tmpdir(), "rl-workbench-"));
const extensions = path.join(folder, "extensions");
const data = path.join(folder, "data");
const workspace = path.join(folder, "workspace");

const freePort = () => new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});

function prepare() {
  for (const name of [extensions, workspace, path.join(data, "data", "Machine"), path.join(data, "data", "logs")])
    mkdirSync(name, { recursive: true });
  writeFileSync(path.join(workspace, "decay.rl"), program);
  writeFileSync(path.join(data, "data", "Machine", "settings.json"), JSON.stringify({
    "rl.server.path": rlc, "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off",
  }));
}

const server = (...more) => [path.join(code, "out", "server-main.js"), "--accept-server-license-terms", "--extensions-dir", extensions,
  "--server-data-dir", data, ...more];

async function session(page) {
  const line = (text) => page.locator(".view-line", { hasText: text }).first();
  await line("param").waitFor({ timeout: kPatience });
  await page.getByText("Yes, I trust the authors").click({ timeout: kPatience });  // no server starts before
  // Colours: the keyword's is not the name's.
  const colour = (of, word) => line(of).locator("span span", { hasText: word }).first().evaluate((span) => getComputedStyle(span).color);
  await page.waitForFunction(() => new Set([...document.querySelectorAll(".view-line span span")].map((s) => getComputedStyle(s).color)).size > 3,
    undefined, { timeout: kPatience });
  assert.notEqual(await colour("param", "param"), await colour("param", "decay"));
  await page.locator(".squiggly-error").first().waitFor({ timeout: kPatience });
  // Hover, on the mistake: the diagnostic.
  await line("decay *").locator("span span", { hasText: "xx" }).last().hover();
  await page.getByText("there is no `xx`").first().waitFor({ timeout: kPatience });
  await page.screenshot({ path: picture });
  // Mended, it goes; the hover then says what the name is.
  await line("decay *").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.locator(".squiggly-error").first().waitFor({ state: "detached", timeout: kPatience });
  await line("print").locator("span span", { hasText: "x" }).last().hover();
  await page.locator(".monaco-hover", { hasText: "f32" }).first().waitFor({ timeout: kPatience });
}

let running, browser;
try {
  prepare();
  execFileSync(process.execPath, server("--install-extension", path.join(here, "rl-language.vsix")), { stdio: "inherit" });
  const port = await freePort();
  running = spawn(process.execPath, server("--host", "127.0.0.1", "--port", String(port), "--without-connection-token"), { stdio: ["ignore", "pipe", "pipe"] });
  await new Promise((resolve, reject) => {
    running.stdout.on("data", (text) => String(text).includes("Extension host agent listening") && resolve());
    running.on("exit", () => reject(new Error("VS Code's server ended")));
  });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1100, height: 600 } });
  const file = `vscode-remote://127.0.0.1:${port}${path.join(workspace, "decay.rl")}`;
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(JSON.stringify([["openFile", file]]))}`);
  try {
    await session(page);
  } catch (error) {
    await page.screenshot({ path: picture });
    throw error;
  }
  console.log(`VS Code: colours, a diagnostic and hovers; ${picture}`);
} finally {
  await browser?.close();
  running?.kill();
  rmSync(folder, { recursive: true, force: true });
}
