import type { ToolSet } from "@code-mode/contract";
import type { CaseServers } from "./case-servers.ts";
import type { ServerJournal } from "./server-journal.ts";

/** The MCP servers of a case, connected by the client under test. */
export type CaseMcp = AsyncDisposable & {
  toolSet(): ToolSet;
  /** What each server went through. */
  readonly journals: Readonly<Record<string, ServerJournal>>;
  /** Process id of a server that runs on stdio. */
  pidOf(server: string): number | undefined;
  /** Resolves when no server is starting any more. */
  ready(): Promise<void>;
  /** Resolves when the client noticed that this process of the server ended. */
  untilGone(server: string, pid: number): Promise<void>;
  /** What an operator may read about servers that can be used, a line each. */
  diagnostics(): readonly string[];
};

/** Connects the servers of a case with the product's MCP client. */
export type ConnectCaseMcp = (servers: CaseServers) => Promise<CaseMcp>;
