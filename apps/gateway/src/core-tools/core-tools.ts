import type { CodeModeTool } from "@code-mode/contract";
import { createGrepTool } from "./grep-tool.ts";
import { createLsTool } from "./ls-tool.ts";
import { createReadTool } from "./read-tool.ts";
import { Workspace } from "./workspace.ts";

/** The core tools over one workspace folder; they touch nothing outside it. */
export function createCoreTools(workspaceRoot: string): readonly CodeModeTool[] {
  const workspace = new Workspace(workspaceRoot);
  return [createReadTool(workspace), createLsTool(workspace), createGrepTool(workspace)];
}
