import type { CodeModeTool } from "@code-mode/contract";
import { createEditTool } from "./edit-tool.ts";
import { createExecTool, type ExecToolOptions } from "./exec-tool.ts";
import { createFindTool } from "./find-tool.ts";
import { createGrepTool } from "./grep-tool.ts";
import { createLsTool } from "./ls-tool.ts";
import { createMessageTool, type MessagePort } from "./message-tool.ts";
import { PathLocks } from "./path-locks.ts";
import { createReadTool } from "./read-tool.ts";
import { createSessionStatusTool, type SessionStatusPort } from "./session-status-tool.ts";
import { createViewImageTool } from "./view-image-tool.ts";
import { createWebFetchTool, type WebFetchOptions } from "./web-fetch-tool.ts";
import { Workspace } from "./workspace.ts";
import { createWriteTool } from "./write-tool.ts";

/** Options of `createCoreTools`. */
export type CoreToolsOptions = {
  /** Root of the file tools and working folder of commands. */
  readonly workspace: string;
  /** Absolute folders inside the workspace that file tools leave alone. Default none. */
  readonly closed?: readonly string[] | undefined;
  readonly exec?: ExecToolOptions | undefined;
  readonly webFetch?: WebFetchOptions | undefined;
  /** Takes messages of agents to their users; without it `message` says that nobody reads them. */
  readonly onMessage?: MessagePort | undefined;
  /** Counts of a session for `session_status`. */
  readonly sessionStatus?: SessionStatusPort | undefined;
};

/** The core tools (CORE-1). File tools touch nothing outside the workspace; `view_image` is direct-only. */
export function createCoreTools(options: CoreToolsOptions): readonly CodeModeTool[] {
  const workspace = new Workspace(options.workspace, options.closed);
  const locks = new PathLocks();
  return [
    createReadTool(workspace),
    createWriteTool(workspace, locks),
    createEditTool(workspace, locks),
    createLsTool(workspace),
    createFindTool(workspace),
    createGrepTool(workspace),
    createExecTool(workspace, options.exec),
    createWebFetchTool(options.webFetch),
    createMessageTool(options.onMessage),
    createSessionStatusTool(options.sessionStatus),
    createViewImageTool(workspace),
  ];
}
