import { nearestNames } from "@code-mode/contract";
import type { CellOutput } from "./cell-output.ts";
import type { GuestCatalog } from "./guest-catalog.ts";
import type { HostOperation } from "./guest-vm.ts";

/** Members of `tools` that are no tools. */
const helperNames = ["search", "describe", "call"];

/** What the synchronous operations of the running cell work on. */
export type OperationContext = { readonly output: CellOutput; readonly catalog: GuestCatalog };

/** Answers the guest's synchronous operations for whatever cell runs now. */
export function createHostOperations(
  current: () => OperationContext | undefined,
  lazySources: { readonly [name: string]: string },
): HostOperation {
  return (operation, first, second) => {
    const context = current();
    if (operation === "lazy") return { evaluate: lazySources[first] ?? "({})" };
    if (operation === "bytes") return String(Buffer.byteLength(first));
    if (context === undefined) return undefined;
    if (operation === "text") return void context.output.text(first) as undefined;
    if (operation === "json") return void context.output.json(first) as undefined;
    return lookUp(context.catalog, operation, [first, second]);
  };
}

function lookUp(
  catalog: GuestCatalog,
  operation: string,
  [first, second]: readonly [string, string],
): string | undefined {
  switch (operation) {
    case "allTools":
      return catalog.allToolsText();
    case "tool":
      return catalog.toolId(first);
    case "tools":
      return JSON.stringify(catalog.toolNames());
    case "servers":
      return JSON.stringify(catalog.serverNames());
    case "server":
      return catalog.mcpServer(first);
    case "member":
      return catalog.mcpMember(first, second);
    case "members":
      return JSON.stringify(catalog.mcpMembers(first));
    case "special":
      return JSON.stringify(catalog.mcpSpecial(first).map((path) => [path, catalog.mcpSpecialMember(first, path)]));
    case "nearTool":
      return [
        flatMcpName(catalog, first),
        withPrefix("tools.", [...nearestNames(first, helperNames), ...catalog.nearestTool(first)]),
      ]
        .filter((text) => text !== "")
        .join(", ");
    case "nearServer":
      return withPrefix("MCP.", catalog.nearestServer(first));
    case "nearMember":
      return withPrefix(`MCP.${first}.`, catalog.nearestMember(first, second));
    default:
      return undefined;
  }
}

function withPrefix(prefix: string, names: readonly string[]): string {
  return names.map((name) => prefix + name).join(", ");
}

/** `weather_forecast` is how flat tool lists spell `MCP.weather.forecast`. */
function flatMcpName(catalog: GuestCatalog, name: string): string {
  const wanted = squash(name);
  for (const server of catalog.serverNames()) {
    if (!wanted.startsWith(squash(server))) continue;
    const member = catalog.mcpMembers(server).find((each) => squash(server + each) === wanted);
    if (member !== undefined) return `MCP.${server}.${member}`;
  }
  return "";
}

function squash(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}
