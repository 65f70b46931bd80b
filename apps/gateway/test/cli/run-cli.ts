import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TemporaryFolder } from "../temporary-folder.ts";

/** How a process of the command ended. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

const entry = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** Runs the command from its sources in a folder that is also its HOME. */
export function runCli(
  folder: TemporaryFolder,
  args: readonly string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ["--conditions=@code-mode/source", entry, ...args], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? "", HOME: folder.path, NO_COLOR: "1", ...env },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.on("error", reject).on("close", (code) => resolve({ code, stdout, stderr }));
  child.stdin.on("error", () => undefined).end(input);
  return promise;
}
