import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import type { JsonObject } from "@code-mode/contract";

const gatewayFolder = join(import.meta.dirname, "../../../apps/gateway");

/** Node arguments that start the command line: the built binary, or with `CODEMODE_CASES=source` its sources. */
const commandLine =
  process.env.CODEMODE_CASES === "source"
    ? ["--conditions=@code-mode/source", join(gatewayFolder, "src/cli.ts")]
    : [join(gatewayFolder, "bin/codemode.js")];

/** Longest until a gateway on a busy machine listens. */
const startLimitMs = 30_000;

type Served = {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly url: string;
  readonly token: string;
};

/** One gateway process with a folder of its own, which outlives restarts. Disposing ends the process and deletes the folder. */
export class GatewayProcess implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "code-mode-gateway-case-"));
  #served: Served | undefined;
  #stderr = "";

  /** Base address without a slash at the end. */
  get url(): string {
    return this.#current.url;
  }

  get token(): string {
    return this.#current.token;
  }

  /** What all lives of the process wrote to stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Writes a file of the gateway's folder, by default as JSON. */
  write(name: string, content: string | JsonObject): string {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  }

  /** Starts the process with what `codemode.config.json` says, and waits until its servers are there too. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const child = spawn(process.execPath, [...commandLine, "gateway", "--json"], {
      cwd: this.folder,
      env: { PATH: process.env.PATH ?? "", HOME: this.folder, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    const lines = createInterface({ input: child.stdout });
    const first = await firstLine(lines, () => this.#stderr);
    const { url, token } = JSON.parse(first) as { url: string; token: string };
    this.#served = { child, url, token: readFileSync(token, "utf8").trim() };
  }

  /** Resolves once stderr holds a text; rejects after `limitMs` with what it holds instead. */
  async untilStderr(text: string, limitMs = 20_000): Promise<void> {
    const deadline = Date.now() + limitMs;
    while (!this.#stderr.includes(text)) {
      if (Date.now() > deadline) throw new Error(`"${text}" is not on stderr: ${this.#stderr}`);
      await after(50);
    }
  }

  /** Ends the process: by default as a crash would. */
  async stop(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const served = this.#served;
    this.#served = undefined;
    if (served === undefined || served.child.exitCode !== null) return;
    const ended = new Promise((resolve) => served.child.once("exit", resolve));
    served.child.kill(signal);
    await ended;
  }

  /** A request with the token. */
  fetch(
    path: string,
    init: RequestInit & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      ...init.headers,
    };
    return fetch(`${this.url}${path}`, { ...init, headers });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  get #current(): Served {
    if (this.#served === undefined) throw new Error("the gateway does not run");
    return this.#served;
  }
}

async function firstLine(lines: AsyncIterable<string>, stderr: () => string): Promise<string> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the gateway does not listen: ${stderr()}`)), startLimitMs);
  try {
    return await Promise.race([nextOf(lines, stderr), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function nextOf(lines: AsyncIterable<string>, stderr: () => string): Promise<string> {
  for await (const line of lines) return line;
  throw new Error(`the gateway ended at once: ${stderr()}`);
}
