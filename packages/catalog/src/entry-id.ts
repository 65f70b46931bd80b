import { type CatalogSource, CodeModeError, type CodeModeTool, type ToolOrigin } from "@code-mode/contract";

const pluginIdPattern = /^[a-z0-9][a-z0-9_-]*$/;
/** Owners that are not plugins: core tools, client tools, and the policy name of all MCP tools (POL-2). */
const takenOwners: ReadonlySet<string> = new Set(["core", "app", "bundle-mcp"]);

/** Where a tool stands in the catalog: its public source, the owner part of its id, its group in CAT-1 order. */
export type Provenance = {
  readonly source: CatalogSource;
  readonly owner: string;
  readonly sourceName?: string;
  readonly group: number;
};

/**
 * Reads the origin of a tool.
 * @throws CodeModeError `invalid_input` for a plugin id that is malformed or belongs to somebody else (CAT-2)
 */
export function provenanceOf(origin: ToolOrigin): Provenance {
  if (origin.kind === "plugin") assertPluginId(origin.pluginId);
  return placeOf(origin);
}

function placeOf(origin: ToolOrigin): Provenance {
  switch (origin.kind) {
    case "core":
      return { source: "openclaw", owner: "core", group: 0 };
    case "plugin":
      return {
        source: "openclaw",
        owner: origin.pluginId,
        sourceName: origin.pluginId,
        group: origin.bundled === true ? 1 : 2,
      };
    case "mcp":
      return { source: "mcp", owner: origin.server, sourceName: origin.server, group: 3 };
    case "client":
      return { source: "client", owner: origin.app ?? "app", sourceName: "app", group: 4 };
  }
}

/** The catalog id of a tool (CAT-2); what rules, approvals and dispatch name it by. */
export function catalogId({ name, origin = { kind: "core" } }: CodeModeTool): string {
  const { source, owner } = placeOf(origin);
  return entryId(source, owner, name);
}

/** The catalog id `<source>:<owner>:<tool-name>` (CAT-2). */
export function entryId(source: CatalogSource, owner: string, name: string): string {
  return `${source}:${encodePart(owner)}:${encodePart(name)}`;
}

/**
 * Refuses a plugin id that could be mistaken for another owner.
 * @throws CodeModeError `invalid_input`
 */
export function assertPluginId(pluginId: string): void {
  if (pluginIdPattern.test(pluginId) && !takenOwners.has(pluginId)) return;
  throw new CodeModeError(
    "invalid_input",
    `the plugin id ${JSON.stringify(pluginId)} is not allowed: use lower-case letters, digits, "_" and "-", starting with a letter or digit, and none of ${[...takenOwners].join(", ")}.`,
    { details: { pluginId } },
  );
}

function encodePart(part: string): string {
  return part.replaceAll("%", "%25").replaceAll(":", "%3A");
}
