import { fileURLToPath } from "node:url";
import { type GatewayConfig, resolveConfig } from "../config/load-config.ts";

/** Budget of one exec or wait: shorter than the slow tool takes, so that the turn shows a suspended program. */
const timeoutMs = 1_500;

/** Folders of a demo and the base address of its model. */
export type DemoPlaces = { readonly folder: string; readonly workspace: string; readonly modelUrl: string };

/** The configuration of the demo: two MCP servers from npm, started by path, and the sample plugin. */
export function demoConfig({ folder, workspace, modelUrl }: DemoPlaces): GatewayConfig {
  const server = (name: string, args: readonly string[]) => ({
    command: process.execPath,
    args: [fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`)), ...args],
    cwd: workspace,
  });
  return resolveConfig(
    {
      gateway: { port: 0, dataDir: folder },
      models: { default: "demo/demo", providers: { demo: { api: "openai-chat", baseUrl: modelUrl } } },
      tools: { codeMode: { enabled: true, timeoutMs } },
      mcp: { servers: { filesystem: server("filesystem", [workspace]), everything: server("everything", ["stdio"]) } },
      plugins: [fileURLToPath(new URL("../../plugins/sample.mjs", import.meta.url))],
      workspace,
    },
    { baseDir: folder },
  );
}
