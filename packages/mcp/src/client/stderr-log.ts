import { createWriteStream, type WriteStream } from "node:fs";
import { mcpLimits } from "./mcp-limits.ts";

/** Where the stderr of servers goes. */
export type StderrLogOptions = {
  /** File that gets one line `[server] text` each; created with mode 0600, never more than 16 MiB by one process. */
  readonly logFile?: string;
  onStderr?(server: string, line: string): void;
};

/** Takes what servers write to stderr; never our own stdout or stderr. */
export class StderrLog {
  readonly #options: StderrLogOptions;
  readonly #file: WriteStream | undefined;
  #bytes = 0;

  constructor(options: StderrLogOptions) {
    this.#options = options;
    this.#file =
      options.logFile === undefined ? undefined : createWriteStream(options.logFile, { flags: "a", mode: 0o600 });
    this.#file?.on("error", (error) =>
      this.#options.onStderr?.("log", `cannot write ${options.logFile}: ${error.message}`),
    );
  }

  /** Writes one line of one server. */
  write(server: string, line: string): void {
    this.#options.onStderr?.(server, line);
    if (this.#file === undefined || this.#bytes > mcpLimits.maxLogBytes) return;
    const text = `${new Date().toISOString()} [${server}] ${line}\n`;
    this.#bytes += Buffer.byteLength(text);
    this.#file.write(
      this.#bytes > mcpLimits.maxLogBytes ? `[${server}] log limit reached; later lines are dropped\n` : text,
    );
  }

  /** Resolves when all is on disk. */
  async close(): Promise<void> {
    const file = this.#file;
    if (file === undefined || file.destroyed) return;
    await new Promise<void>((resolve) => {
      file.once("close", resolve);
      file.end();
    });
  }
}
