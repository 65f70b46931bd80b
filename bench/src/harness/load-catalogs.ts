import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { CodeModeTool, JsonObject } from "@code-mode/contract";

/** Recorded tool lists of real MCP servers. They are third-party text and not part of the project. */
const directory = new URL("../../../../shared/data/catalogs/", import.meta.url);

/** One recorded server. */
export type RecordedServer = { readonly server: string; readonly tools: readonly RecordedTool[] };

/** A tool as its server listed it. */
export type RecordedTool = {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
};

/** Why there are no catalogs, for rows that need them. */
export const catalogsMissing = "the recorded catalogs are not on this machine";

/** The recorded servers, or nothing where they are not present. */
export function loadCatalogs(): readonly RecordedServer[] | undefined {
  if (!existsSync(directory)) return undefined;
  const files = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return files.sort().map((name) => JSON.parse(readFileSync(new URL(name, directory), "utf8")) as RecordedServer);
}

/** The tools of all servers as code mode gets them from its MCP client. */
export function catalogTools(servers: readonly RecordedServer[]): CodeModeTool[] {
  return servers.flatMap(({ server, tools }) =>
    tools.map((tool) => ({
      name: tool.name,
      description: tool.description ?? "",
      parameters: tool.inputSchema,
      ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
      origin: { kind: "mcp", server } as const,
      execute: () => null,
    })),
  );
}
