// How `rlc` is called; nothing of VS Code in here, so that it is tested without it.
import * as os from "node:os";
import * as path from "node:path";

export interface Invocation {
  program: string;
  arguments: string[];
}

// A path of the settings: `~`, `${workspaceFolder}` and relative paths resolved; a bare name is left to PATH.
export function resolveProgram(setting: string, workspaceFolder: string | undefined): string {
  const trimmed = setting.trim() || "rlc";
  const expanded = trimmed
    .replace(/^~(?=$|[\\/])/, () => os.homedir())
    .replace(/\$\{workspaceFolder\}/g, () => workspaceFolder ?? ".");
  if (!/[\\/]/.test(expanded) || path.isAbsolute(expanded) || workspaceFolder === undefined) return expanded;
  return path.join(workspaceFolder, expanded);
}

export function serverInvocation(program: string, extra: readonly string[]): Invocation {
  return { program, arguments: ["lsp", ...extra] };
}

export function runInvocation(program: string, file: string, extra: readonly string[]): Invocation {
  return { program, arguments: ["run", file, ...extra] };
}

export function explainInvocation(program: string, file: string): Invocation {
  return { program, arguments: ["explain", "schedule", file] };
}

// What stands in the panel after `rlc explain`.
export function explainReport(stdout: string, stderr: string, status: number | string | undefined): string {
  if (status === "ENOENT") return "rlc was not found. Set `rl.server.path` to the program.\n";
  const parts = [stdout, stderr].map((part) => part.trimEnd()).filter((part) => part.length > 0);
  return (parts.length > 0 ? parts.join("\n\n") : `rlc said nothing (exit status ${status ?? 0}).`) + "\n";
}
