import { type ChildProcess, spawn } from "node:child_process";
import { CodeModeError } from "@code-mode/contract";
import { OutputWindow } from "./output-window.ts";

/** One run of a shell. */
export type CommandJob = {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Most bytes kept of each of stdout and stderr. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
};

/** What became of it. */
export type CommandReport = {
  /** Absent when a signal ended the shell. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
};

/**
 * Runs a command in a process group of its own. When the shell ends, at the timeout and on abort, the whole group is
 * ended: nothing that the command started in it stays.
 * @throws CodeModeError `runtime_unavailable` when no shell can be started; the reason of the signal on abort
 */
export async function runCommand(job: CommandJob): Promise<CommandReport> {
  job.signal.throwIfAborted();
  const child = startShell(job);
  const [stdout, stderr] = [new OutputWindow(job.maxOutputBytes), new OutputWindow(job.maxOutputBytes)];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  let timedOut = false;
  const abort = (): void => endGroup(child);
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup(child);
  }, job.timeoutMs);
  job.signal.addEventListener("abort", abort, { once: true });
  try {
    const { code, signal } = await closed(child);
    job.signal.throwIfAborted();
    return {
      ...(code === null ? {} : { exitCode: code }),
      ...(signal === null ? {} : { signal }),
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated || stderr.truncated,
      timedOut,
    };
  } finally {
    clearTimeout(timer);
    job.signal.removeEventListener("abort", abort);
  }
}

function startShell({ command, cwd, env }: CommandJob): ChildProcess {
  const windows = process.platform === "win32";
  return spawn(command, {
    cwd,
    env,
    shell: windows ? true : "/bin/sh",
    stdio: ["ignore", "pipe", "pipe"],
    // a group of its own, which one signal reaches as a whole
    detached: !windows,
    windowsHide: true,
  });
}

function closed(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; signal: NodeJS.Signals | null }>();
  child.once("error", (error: NodeJS.ErrnoException) =>
    reject(
      new CodeModeError("runtime_unavailable", `the shell cannot be started (${error.code ?? error.message}).`, {
        cause: error,
      }),
    ),
  );
  // what still runs in the background holds the pipes open; it ends with its shell
  child.once("exit", () => endGroup(child));
  child.once("close", (code, signal) => resolve({ code, signal }));
  return promise;
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // nobody is left in the group
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
