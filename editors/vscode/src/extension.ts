import * as vscode from "vscode";

import { Client } from "./client";
import { registerCommands } from "./commands";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("rl", { log: true });
  const client = new Client(output);
  context.subscriptions.push(output, client);
  registerCommands(context);
  context.subscriptions.push(
    vscode.commands.registerCommand("rl.restartServer", () => client.restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => client.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("rl.server")) void client.restart();
    }),
  );
  await client.restart();
}
