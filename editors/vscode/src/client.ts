// The language server `rlc lsp`, started in trusted workspaces and restarted when its settings change.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { serverInvocation } from "./program";
import { programFor, workspaceFolderOf } from "./settings";

export class Client implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly output: vscode.LogOutputChannel) {}

  // One start or stop at a time, in the order in which they were asked for.
  restart(): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.stop();
      await this.start();
    });
    return this.queue;
  }

  dispose(): Promise<void> {
    this.queue = this.queue.then(() => this.stop());
    return this.queue;
  }

  private async start(): Promise<void> {
    const settings = vscode.workspace.getConfiguration("rl");
    if (!vscode.workspace.isTrusted || !settings.get<boolean>("server.enabled", true)) return;
    const call = serverInvocation(programFor(undefined), settings.get<string[]>("server.arguments", []));
    const server: ServerOptions = {
      command: call.program,
      args: call.arguments,
      options: { cwd: workspaceFolderOf(undefined) },
    };
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: "file", language: "rl" },
        { scheme: "untitled", language: "rl" },
      ],
      outputChannel: this.output,
    };
    const client = new LanguageClient("rl", "rl language server", server, options);
    try {
      await client.start();
      this.client = client;
    } catch (error) {
      this.output.error(`${call.program} could not be started: ${error}`);
      const open = "Open Settings";
      void vscode.window
        .showWarningMessage(`The rl language server (${call.program} lsp) could not be started.`, open)
        .then((choice) => {
          if (choice === open) void vscode.commands.executeCommand("workbench.action.openSettings", "rl.server");
        });
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    // A server that has ended by itself has nothing left to be asked for.
    if (client?.needsStop()) await client.stop().catch(() => undefined);
  }
}
