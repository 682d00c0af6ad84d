import * as vscode from "vscode";

import { resolveProgram } from "./program";

export function workspaceFolderOf(uri: vscode.Uri | undefined): string | undefined {
  const folder = uri ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
}

export function programFor(uri: vscode.Uri | undefined): string {
  const setting = vscode.workspace.getConfiguration("rl", uri).get<string>("server.path", "rlc");
  return resolveProgram(setting, workspaceFolderOf(uri));
}
