import { type BridgeCall, toGuestError } from "@code-mode/bridge";
import { type CatalogEntry, CodeModeError, type GuestError, type JsonValue } from "@code-mode/contract";
import type { Cell } from "./cell.ts";
import { hintUnavailable } from "./hint-unavailable.ts";

/** Longest query a program may search for; ranking costs grow with it. */
const maxQueryLength = 2000;

/** Answers a call that runs no tool: search, describe, virtual files, results. The first search of a catalog takes a while. */
export async function answerHostCall(cell: Cell, call: BridgeCall): Promise<BridgeAnswer> {
  try {
    return { json: await answer(cell, call) };
  } catch (error) {
    const code = CodeModeError.is(error) ? undefined : "internal_error";
    return { error: toGuestError(error, code === undefined ? {} : { code }) };
  }
}

/** What the guest gets for a call. */
export type BridgeAnswer = { readonly json: string } | { readonly error: GuestError };

async function answer(cell: Cell, call: BridgeCall): Promise<string> {
  const { catalog, counters, results } = cell;
  switch (call.kind) {
    case "search":
      counters.searchCount++;
      hintUnavailable(cell);
      return JSON.stringify(await searchNative(cell, call));
    case "describe":
      counters.describeCount++;
      return JSON.stringify(catalog.describe(call.target));
    case "api.search":
    case "mcp.search":
      counters.searchCount++;
      hintUnavailable(cell);
      return JSON.stringify(
        await catalog.searchApiSoon(query(call), limit(cell, call), call.kind === "mcp.search" ? "mcp" : undefined),
      );
    case "api.list":
      return JSON.stringify(catalog.listApi(call.target === "" ? undefined : call.target));
    case "api.read":
      return JSON.stringify(catalog.readApi(call.target));
    case "mcp.api":
      return JSON.stringify(mcpApi(cell, call));
    case "results.save":
      return JSON.stringify(results.save(JSON.stringify(call.payload)));
    case "results.load":
      return results.load(call.target);
    case "results.delete":
      return JSON.stringify(results.delete(call.target));
    default:
      throw new CodeModeError("internal_error", `no answer for a ${call.kind} call`);
  }
}

/** Native tools only (GUEST-3); a search that only MCP tools would answer says so in the result's hint. */
async function searchNative(cell: Cell, call: BridgeCall): Promise<CatalogEntry[]> {
  const found = await cell.catalog.searchSoon(query(call), limit(cell, call));
  if (found.length > 0) return found;
  const [near] = await cell.catalog.searchApiSoon(query(call), 1, "mcp");
  if (near !== undefined)
    cell.hint(
      `tools.search finds no native tool for "${query(call).slice(0, 80)}"; the MCP tool ${near.path} may be it. Search MCP tools with MCP.$search(query) and call them as MCP.<server>.<tool>(input).`,
    );
  return found;
}

function query(call: BridgeCall): string {
  return call.target.slice(0, maxQueryLength);
}

function limit(cell: Cell, call: BridgeCall): number {
  const asked = (call.payload as { limit?: unknown } | null)?.limit;
  const wanted =
    typeof asked === "number" && Number.isFinite(asked) ? Math.trunc(asked) : cell.config.searchDefaultLimit;
  return Math.min(cell.config.maxSearchLimit, Math.max(1, wanted));
}

function mcpApi(cell: Cell, call: BridgeCall): JsonValue {
  const { toolName, schema } = call.payload as { toolName?: unknown; schema?: unknown };
  const name = typeof toolName === "string" ? toolName : undefined;
  return cell.catalog.mcpApi(call.target, name, { schema: schema === true }) as unknown as JsonValue;
}
