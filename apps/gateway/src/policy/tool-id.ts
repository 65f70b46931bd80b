import type { CodeModeTool } from "@code-mode/contract";

/** The catalog id of a tool, `<source>:<owner>:<tool-name>` (CAT-2); what rules and dispatch name it by. */
export function toolId({ name, origin = { kind: "core" } }: CodeModeTool): string {
  switch (origin.kind) {
    case "core":
      return id("openclaw", "core", name);
    case "plugin":
      return id("openclaw", origin.pluginId, name);
    case "mcp":
      return id("mcp", origin.server, name);
    case "client":
      return id("client", origin.app ?? "app", name);
  }
}

function id(source: string, owner: string, name: string): string {
  return `${source}:${encode(owner)}:${encode(name)}`;
}

function encode(part: string): string {
  return part.replaceAll("%", "%25").replaceAll(":", "%3A");
}
