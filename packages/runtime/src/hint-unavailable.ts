import type { UnavailableServer } from "@code-mode/contract";
import type { Cell } from "./cell.ts";

/** Servers that one hint names. */
const maxNamed = 3;

/** Characters before a member's name that are looked at. */
const maxBefore = 20;

/** A search that found little may have missed the tools of a server that is not there: the model is told. */
export function hintUnavailable(cell: Cell): void {
  hint(cell, cell.catalog.unavailableServers);
}

/** The same for a program that names such a server, in guest or configured spelling. */
export function hintNamedUnavailable(cell: Cell): void {
  const { code } = cell.input;
  hint(
    cell,
    cell.catalog.unavailableServers.filter(({ name, guestName }) => isMember(code, guestName) || isMember(code, name)),
  );
}

/** True when the name stands as a member of `MCP`. */
function isMember(code: string, name: string): boolean {
  for (let at = code.indexOf(name); at !== -1; at = code.indexOf(name, at + 1)) {
    const before = code.slice(Math.max(0, at - maxBefore), at);
    if (/\bMCP\s*(?:\?\.|\.|\[)\s*["'`]?$/.test(before) && !/[\w$]/.test(code[at + name.length] ?? "")) return true;
  }
  return false;
}

function hint(cell: Cell, servers: readonly UnavailableServer[]): void {
  if (servers.length === 0) return;
  const named = servers.slice(0, maxNamed).map(({ name, why }) => `MCP server "${name}" is unavailable (${why}).`);
  const more = servers.length > maxNamed ? [`So are ${servers.length - maxNamed} more: API.list("mcp").`] : [];
  cell.hint([...named, ...more].join(" "));
}
