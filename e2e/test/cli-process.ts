import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const gatewayFolder = join(import.meta.dirname, "../../apps/gateway");
const fromGateway = createRequire(join(gatewayFolder, "package.json"));

/** The built binary; `pnpm build` makes it. */
export const codemodeBinary = join(gatewayFolder, "bin/codemode.js");

/** The sample plugin that comes with the gateway. */
export const samplePlugin = join(gatewayFolder, "plugins/sample.mjs");

/** Slower than the budget of these tests, which in turn leaves a busy machine time to start a program. */
export const slowPlugin = `import { setTimeout as after } from "node:timers/promises";
export default { id: "slow", tools: [{ name: "slow", description: "", parameters: {}, execute: (_, { signal }) => after(2500, "done", { signal }) }] };`;

/** Entry file of an MCP server from npm. */
export function mcpServerFile(name: "filesystem" | "everything"): string {
  return fromGateway.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
}

/** How a process of the binary ended. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** What a test may do while the process runs. */
export type Running = {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  stderrHas(text: string): Promise<void>;
  /** What stdout holds so far. */
  stdout(): string;
  kill(signal: NodeJS.Signals): void;
};

/** A working folder of a test, also the HOME of what it starts; disposing deletes it. */
export class CliFolder implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "codemode-e2e-")));

  /** Writes a file, by default as JSON, and gives its path. */
  write(name: string, content: unknown): string {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  }

  /** Environment that leads nowhere but into this folder. */
  get env(): Record<string, string> {
    return { PATH: process.env.PATH ?? "", HOME: this.path, NO_COLOR: "1" };
  }

  /** Runs the binary to its end. */
  run(args: readonly string[], input = ""): Promise<Ended> {
    return this.start(args, input).ended;
  }

  /** Starts the binary. */
  start(args: readonly string[], input = ""): Running {
    const child = spawn(process.execPath, [codemodeBinary, ...args], { cwd: this.path, env: this.env });
    const ended = Promise.withResolvers<Ended>();
    const waiting = new Set<() => void>();
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      for (const check of waiting) check();
    });
    child.on("error", ended.reject).on("close", (code) => ended.resolve({ code, stdout, stderr }));
    child.stdin.on("error", () => undefined).end(input);
    return {
      pid: child.pid ?? 0,
      ended: ended.promise,
      stderrHas(text) {
        const seen = Promise.withResolvers<void>();
        const check = (): void => {
          if (stderr.includes(text)) seen.resolve();
        };
        waiting.add(check);
        check();
        ended.promise.then(() => seen.reject(new Error(`ended without "${text}" on stderr: ${stderr}`)), seen.reject);
        return seen.promise;
      },
      stdout: () => stdout,
      kill: (signal) => void child.kill(signal),
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
