import { type Catalog, type CatalogEntry, CodeModeError, didYouMean, type JsonSchema } from "@code-mode/contract";
import { catalogCallPaths } from "../explain/call-paths.ts";

/** A tool with its schemas. */
export type DescribedTool = CatalogEntry & {
  readonly parameters: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly [key: string]: unknown;
};

/**
 * The tool with this id, the one that this expression calls (`tools.read`), or the only one with this name.
 * @throws CodeModeError `tool_error` with the nearest names
 */
export function describeTool(catalog: Catalog, idOrName: string): DescribedTool {
  const named = catalog.tools.filter(({ entry }) => entry.id === idOrName || entry.name === idOrName);
  const called = [...catalogCallPaths(catalog)].find(([, path]) => path === idOrName)?.[0] ?? idOrName;
  const found = catalog.get(called) ?? (named.length === 1 ? named[0] : undefined);
  if (found === undefined) {
    const ids = catalog.tools.flatMap(({ entry }) => [entry.id, entry.name]);
    const hint =
      named.length > 1
        ? ` It means ${named.map(({ entry }) => entry.id).join(" and ")}: give the id.`
        : didYouMean(idOrName, ids);
    throw new CodeModeError("tool_error", `there is no tool ${idOrName}.${hint} codemode tools lists all.`);
  }
  const { entry, tool } = found;
  const output = tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema };
  return { ...entry, parameters: tool.parameters ?? { type: "object" }, ...output };
}
