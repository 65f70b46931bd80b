import type { CodeModeTool, JsonValue } from "@code-mode/contract";
import { type CoreToolsOptions, createCoreTools } from "../../src/core-tools/core-tools.ts";
import { toolContext } from "../tool-context.ts";

/** The core tool of this name. */
export function coreTool(name: string, options: CoreToolsOptions): CodeModeTool {
  const found = createCoreTools(options).find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no core tool ${name}`);
  return found;
}

/** Calls a core tool over a workspace. */
export async function callCoreTool(
  name: string,
  input: JsonValue,
  { signal, ...options }: CoreToolsOptions & { signal?: AbortSignal },
): Promise<unknown> {
  return await coreTool(name, options).execute(input, toolContext([], signal));
}
