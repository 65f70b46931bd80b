import { readFileSync } from "node:fs";
import type { CliFolder, Running } from "../test/cli-process.ts";

/** A gateway of the built binary, running as a process over the configuration in a folder. */
export type GatewayProcess = AsyncDisposable & {
  readonly url: string;
  readonly token: string;
  readonly running: Running;
  get(path: string): Promise<{ readonly status: number; readonly body: unknown }>;
  post(path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Lines of the session's exported trajectory. */
  trajectory(sessionId: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends it with SIGTERM and gives its exit code. */
  stop(): Promise<number | null>;
};

/** Writes the configuration and starts a gateway; resolves when its MCP servers have had their time to start. */
export async function startGatewayProcess(folder: CliFolder, config: object): Promise<GatewayProcess> {
  folder.write("codemode.config.json5", { gateway: { port: 0 }, ...config });
  const running = folder.start(["gateway", "--json"]);
  await running.stderrHas("tools: core");
  const { url, token: file } = JSON.parse(running.stdout().split("\n")[0] ?? "") as { url: string; token: string };
  const token = readFileSync(file, "utf8").trim();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json" };
  const stop = async (): Promise<number | null> => {
    running.kill("SIGTERM");
    return (await running.ended).code;
  };
  const send = async (path: string, init: RequestInit): Promise<{ status: number; body: unknown }> => {
    const reply = await fetch(url + path, { ...init, headers });
    const text = await reply.text();
    return { status: reply.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
  };
  return {
    url,
    token,
    running,
    get: (path) => send(path, {}),
    post: (path, body = {}) => send(path, { method: "POST", body: JSON.stringify(body) }),
    trajectory: async (sessionId) => {
      const reply = await fetch(`${url}/api/sessions/${sessionId}/trajectory`, { headers });
      return (await reply.text())
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}
