// The commands of the palette, the editor's title and the server's code lenses, which pass a document's URI.
import { execFile } from "node:child_process";

import * as vscode from "vscode";

import { explainInvocation, explainReport, runInvocation } from "./program";
import { programFor, workspaceFolderOf } from "./settings";

const kExplainScheme = "rl-explain";

// The file as it stands in the editor: saved first.
async function savedFile(argument: unknown): Promise<vscode.Uri | undefined> {
  const given = argument instanceof vscode.Uri ? argument
    : typeof argument === "string" ? vscode.Uri.parse(argument) : vscode.window.activeTextEditor?.document.uri;
  if (given === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(given);
  if (document.isDirty || document.isUntitled) return vscode.workspace.save(given);
  return given;
}

async function run(argument: unknown): Promise<void> {
  const uri = await savedFile(argument);
  if (uri === undefined) return;
  const extra = vscode.workspace.getConfiguration("rl", uri).get<string[]>("run.arguments", []);
  const call = runInvocation(programFor(uri), uri.fsPath, extra);
  const task = new vscode.Task(
    { type: "rl", file: uri.fsPath },
    vscode.workspace.getWorkspaceFolder(uri) ?? vscode.TaskScope.Workspace,
    `run ${vscode.workspace.asRelativePath(uri)}`,
    "rl",
    new vscode.ProcessExecution(call.program, call.arguments, { cwd: workspaceFolderOf(uri) }),
    "$rlc",
  );
  task.presentationOptions = { clear: true, focus: false, panel: vscode.TaskPanelKind.Dedicated };
  await vscode.tasks.executeTask(task);
}

// Texts of `rlc explain`, shown beside the program and renewed when it is asked for again.
class Explanations implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  set(uri: vscode.Uri, text: string): void {
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
  }

  forget(uri: vscode.Uri): void {
    this.texts.delete(uri.toString());
  }
}

async function explain(argument: unknown, explanations: Explanations): Promise<void> {
  const source = await savedFile(argument);
  if (source === undefined) return;
  const call = explainInvocation(programFor(source), source.fsPath);
  const text = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: "rl: explaining the schedule", cancellable: true },
    (_, cancelled) => new Promise<string>((resolve) => {
      const options = { cwd: workspaceFolderOf(source), maxBuffer: 1 << 26, env: { ...process.env, NO_COLOR: "1" } };
      const child = execFile(call.program, call.arguments, options, (error, stdout, stderr) => {
        resolve(explainReport(stdout, stderr, error?.code ?? undefined));
      });
      cancelled.onCancellationRequested(() => child.kill());
    }),
  );
  const target = vscode.Uri.from({ scheme: kExplainScheme, path: `${source.path}.schedule.txt` });
  explanations.set(target, text);
  const document = await vscode.workspace.openTextDocument(target);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
}

export function registerCommands(context: vscode.ExtensionContext): void {
  const explanations = new Explanations();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(kExplainScheme, explanations),
    vscode.workspace.onDidCloseTextDocument((document) => explanations.forget(document.uri)),
    vscode.commands.registerCommand("rl.run", run),
    vscode.commands.registerCommand("rl.explainSchedule", (argument) => explain(argument, explanations)),
  );
}
