import type { McpServerState, ToolSet } from "@code-mode/contract";
import type { McpMedia } from "./media-store.ts";
import type { McpProblem } from "./parse-tool.ts";
import type { McpToolChange } from "./tool-changes.ts";

/** One server as operators see it. Unlike in the tool set, `note` may quote the server's last line on stderr. */
export type McpServerStatus = McpServerState & {
  /** Tools in the catalog, `resources.*` and `prompts.*` included. */
  readonly tools: number;
  /** Defects of single tools; each says what became of it. */
  readonly problems: readonly McpProblem[];
  /** Tools whose definition is no longer the one that was listed first (MCPC-3). */
  readonly changes: readonly McpToolChange[];
  /** Process id of a running stdio server. */
  readonly pid?: number;
};

/** All configured servers. Disposing ends every process that was started. */
export interface McpConnections extends AsyncDisposable {
  /** Tools of all usable servers and the state of all; the same object until something changes. */
  toolSet(): ToolSet;
  /** Resolves when no server is starting any more or the time is over (default: no limit); rejects when `signal` aborts. */
  ready(options?: { timeoutMs?: number; signal?: AbortSignal }): Promise<void>;
  states(): readonly McpServerStatus[];
  /** Calls `listener` after each change of a state or of tools; returns how to stop that. */
  onChange(listener: () => void): () => void;
  /**
   * Tools of a server whose description or schemas changed since it first listed them in this process; `restart` accepts
   * the changes. An unknown name throws.
   */
  changedTools(server: string): readonly McpToolChange[];
  /** Starts a server anew, for example after its login or program was mended. An unknown name rejects. */
  restart(server: string): Promise<void>;
  /** An image, sound or file by the handle that its placeholder names. */
  media(handle: string): McpMedia | undefined;
}
