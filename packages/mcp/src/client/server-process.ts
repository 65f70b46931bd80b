import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { buildChildEnvironment } from "./child-environment.ts";
import { LineSplitter } from "./line-splitter.ts";
import { mcpLimits } from "./mcp-limits.ts";
import type { McpStdioServerConfig } from "./server-config.ts";

/** How a server process ended; `error` when it could not start. */
export type ServerExit = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: NodeJS.ErrnoException;
};

/** Blank lines, stack frames and the farewell of Node: what stands before them says what happened. */
const noise = /^\s*(?:$|at |Node\.js v\d)/;
const ownGroup = process.platform !== "win32";

/** One server process that we started and will end. */
export class ServerProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  #stopping: Promise<void> | undefined;
  #lastStderrLine = "";
  #exit: ServerExit | undefined;
  readonly #closed: Promise<void>;
  /** Settled once the process is gone or could not start; never rejects. */
  readonly exited: Promise<ServerExit>;
  /** Resolves when the process runs; rejects when it cannot start. */
  readonly spawned: Promise<void>;

  constructor(config: McpStdioServerConfig, onStderr: (line: string) => void) {
    this.#child = spawn(config.command, [...(config.args ?? [])], {
      cwd: config.cwd,
      env: buildChildEnvironment(config.env),
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
      // a group of its own: wrappers such as npx are ended together with the server that they started
      detached: ownGroup,
    });
    this.exited = new Promise((resolve) => {
      const end = (exit: ServerExit): void => {
        this.#exit = exit;
        resolve(exit);
      };
      this.#child.once("exit", (code, signal) => end({ code, signal }));
      this.#child.once("error", (error) => {
        if (this.#child.pid === undefined) end({ code: null, signal: null, error });
      });
    });
    this.#closed = new Promise((resolve) => this.#child.once("close", () => resolve()));
    this.spawned = new Promise((resolve, reject) => {
      this.#child.once("spawn", resolve);
      this.#child.once("error", reject);
    });
    this.#readStderr(onStderr);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stdin(): NodeJS.WritableStream {
    return this.#child.stdin;
  }

  get stdout(): NodeJS.ReadableStream {
    return this.#child.stdout;
  }

  /** How the process ended, when it has. */
  get exit(): ServerExit | undefined {
    return this.#exit;
  }

  /** Resolves when all that the process wrote has been read, or at the latest a moment after its end. */
  async drained(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, mcpLimits.drainDelayMs);
    await Promise.race([this.#closed, late]);
    clearTimeout(timer);
  }

  /** The last thing the server said on stderr; for people, never for the model. */
  get lastStderrLine(): string {
    return this.#lastStderrLine;
  }

  /** Ends the process and all that it started: SIGTERM, and SIGKILL when it is still there 2 s later. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Last resort while our own process exits: no event loop is left to wait on. */
  killNow(): void {
    this.#signal("SIGKILL");
  }

  async #stop(): Promise<void> {
    this.#child.stdin.end();
    this.#signal("SIGTERM");
    const timer = setTimeout(() => this.#signal("SIGKILL"), mcpLimits.killDelayMs);
    await this.exited;
    clearTimeout(timer);
    // what the server started and left behind in its group
    this.#signal("SIGKILL");
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child.pid;
    if (pid === undefined) return;
    try {
      process.kill(ownGroup ? -pid : pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") this.#child.kill(signal);
    }
  }

  #readStderr(onStderr: (line: string) => void): void {
    const lines = new LineSplitter({
      maxBytes: mcpLimits.maxLogLineLength,
      overflow: "cut",
      onLine: (line) => {
        if (!noise.test(line)) this.#lastStderrLine = line;
        onStderr(line);
      },
    });
    this.#child.stderr.on("data", (chunk: Buffer) => lines.push(chunk));
    this.#child.stderr.on("end", () => lines.flush());
  }
}
