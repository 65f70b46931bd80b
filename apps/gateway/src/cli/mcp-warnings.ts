import type { McpServerState } from "@code-mode/contract";
import { printNote, showLine } from "./terminal.ts";

const problems = {
  starting: "is still starting",
  failed: "could not be started",
  needs_login: "needs a login",
} as const;

/** One warning per MCP server that cannot be used; everything else works without it. */
export function warnAboutServers(states: readonly McpServerState[]): void {
  for (const { name, state, note } of states) {
    if (state === "ready") continue;
    const why = note === undefined ? "" : ` (${showLine(note)})`;
    printNote(
      `warning: MCP server ${showLine(name)} ${problems[state]}${why}. Its tools are missing; all others can be used.`,
    );
  }
}
