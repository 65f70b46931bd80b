import type { McpServerState } from "@code-mode/contract";
import { printNote } from "./terminal.ts";

/** One warning per MCP server that cannot be used; everything else works without it. */
export function warnAboutServers(states: readonly McpServerState[]): void {
  for (const { name, state, note } of states) {
    if (state === "ready") continue;
    const why = note === undefined ? "" : `: ${note}`;
    printNote(`warning: MCP server ${name} is ${state}${why}. Its tools are missing; all others can be used.`);
  }
}
