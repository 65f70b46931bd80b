import { buildCatalog } from "@code-mode/catalog";
import type { Catalog } from "@code-mode/contract";
import { idsOfFound } from "../../explain/call-paths.ts";
import { openTools } from "../../open-tools.ts";
import { configOf } from "../common-options.ts";
import { type DescribedTool, describeTool } from "../describe-tool.ts";
import { exitCodes } from "../exit-codes.ts";
import { warnAboutServers } from "../mcp-warnings.ts";
import { colorsFor, printData, reserveStdout, showLine, showText } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { ToolsOptions } from "./add-tools.ts";

const serversReadyMs = 15_000;
const defaultFound = 20;

type Row = { readonly id: string; readonly description: string; readonly [key: string]: unknown };

/** Lists, searches or describes the catalog (CLI-6). */
export async function toolsCommand(
  query: string | undefined,
  options: ToolsOptions,
  signal: AbortSignal,
): Promise<number> {
  const limit = limitOf(options.limit);
  if (query !== undefined && options.describe !== undefined)
    throw new UsageError("give a query or --describe, not both.");
  reserveStdout();
  await using tools = await openTools({ config: configOf(options) });
  await tools.settled(serversReadyMs, signal);
  warnAboutServers(tools.mcpStates());
  const catalog = buildCatalog(tools.of({ agentId: options.agent ?? "main" }));
  if (options.describe !== undefined) await printOne(describeTool(catalog, options.describe), options);
  else await printRows(query === undefined ? list(catalog) : search(catalog, query, limit), options);
  return exitCodes.success;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return defaultFound;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--limit: found ${JSON.stringify(text)}, expected a number from 1 to 999.`);
}

function list(catalog: Catalog): readonly Row[] {
  return catalog.tools.map(({ entry }) => ({ ...entry }));
}

function search(catalog: Catalog, query: string, limit: number): readonly Row[] {
  const idOf = idsOfFound(catalog);
  return catalog.searchApi(query, limit).map((found) => ({ id: idOf(found) ?? found.path, ...found }));
}

async function printRows(rows: readonly Row[], { json }: ToolsOptions): Promise<void> {
  if (json) return printData(JSON.stringify(rows));
  const colors = colorsFor(process.stdout);
  const shown = rows.map(({ id, description }) => ({ id: showLine(id), text: showLine(firstSentence(description)) }));
  const width = Math.min(50, Math.max(0, ...shown.map(({ id }) => id.length)));
  for (const { id, text } of shown) await printData(`${colors.bold(id.padEnd(width))}  ${text}`);
  if (rows.length === 0) process.stderr.write("no tool found; codemode tools lists all.\n");
}

async function printOne(row: DescribedTool, { json }: ToolsOptions): Promise<void> {
  if (json) return printData(JSON.stringify(row));
  const colors = colorsFor(process.stdout);
  await printData(
    `${colors.bold(showLine(row.id))}\n${showText(row.description)}\n\ninput ${showText(JSON.stringify(row.parameters, undefined, 2))}`,
  );
  if (row.outputSchema !== undefined)
    await printData(`output ${showText(JSON.stringify(row.outputSchema, undefined, 2))}`);
}

function firstSentence(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return (/^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line).slice(0, 100);
}
