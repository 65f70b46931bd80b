import { explainAgent } from "../../explain/explain-agent.ts";
import type { ExplainInput, ToolExplanation } from "../../explain/explain-tools.ts";
import { openTools } from "../../open-tools.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { colorsFor, printData, printNote, reserveStdout, showLine } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { ToolsOptions } from "./add-tools.ts";

const serversReadyMs = 15_000;

/** Says for every known tool whether it is visible and why not (CLI-6). */
export async function explainCommand(
  query: string | undefined,
  options: ToolsOptions,
  signal: AbortSignal,
): Promise<number> {
  if (options.describe !== undefined) throw new UsageError("give --explain or --describe, not both.");
  const config = configOf(options);
  const agentId = options.agent ?? "main";
  if (agentId !== "main" && !Object.hasOwn(config.agents, agentId))
    throw new UsageError(
      `--agent: there is no agent ${agentId}; configured: ${["main", ...Object.keys(config.agents)].join(", ")}.`,
    );
  reserveStdout();
  await using tools = await openTools({ config });
  await tools.settled(serversReadyMs, signal);
  const { codeMode, servers, tools: all } = explainAgent({ config, agentId, scope: scopeOf(options), tools });
  const wanted = query?.toLowerCase();
  const rows = wanted === undefined ? all : all.filter(({ id }) => id.toLowerCase().includes(wanted));
  if (options.json) await printData(JSON.stringify({ agent: agentId, codeMode, servers, tools: rows }));
  else await printRows(rows);
  if (!codeMode)
    printNote(
      `note: tools.codeMode is off for agent ${agentId}, so its model sees the tools themselves; codemode exec and codemode mcp switch it on.`,
    );
  return exitCodes.success;
}

/** Whose rules hold beside those of the agent; what is not given is left to the defaults. */
function scopeOf({ session, sender, channel }: ToolsOptions): ExplainInput["scope"] {
  return {
    ...(session === undefined ? {} : { sessionId: session }),
    ...(sender === undefined ? {} : { sender }),
    ...(channel === undefined ? {} : { channel }),
  };
}

async function printRows(rows: readonly ToolExplanation[]): Promise<void> {
  const colors = colorsFor(process.stdout);
  const width = Math.min(60, Math.max(0, ...rows.map(({ id }) => showLine(id).length)));
  for (const { id, state, call, reason } of rows) {
    const word = state.padEnd(11);
    const shown = state === "visible" ? colors.green(word) : state === "direct-only" ? word : colors.red(word);
    const facts = [call, reason].filter((fact) => fact !== undefined).map(showLine);
    await printData(`${shown}  ${colors.bold(showLine(id).padEnd(width))}  ${facts.join("  – ")}`.trimEnd());
  }
  if (rows.length === 0) printNote("no tool found; codemode tools --explain lists all.");
}
