import type { CallOptions, CodeModeResult, ModelTool, RunScope } from "@code-mode/contract";
import type { FaceSession, McpServerFace } from "@code-mode/mcp";

/** Options of `RequestSessions`. */
export type RequestSessionsOptions = {
  readonly face: McpServerFace;
  /** A session is over: end its cells. */
  endSession(scope: RunScope): Promise<void>;
  /** How long a suspended program lives without a wait. */
  readonly ttlMs: number;
  /** Default `Date.now`. */
  readonly now?: () => number;
};

type Owner = { readonly client: string; readonly scope: RunScope; waits: number; lastUsedAt: number };

/**
 * Sessions for the protocol of 2026, which has no connections: every `exec` is a session of its own, and the unguessable
 * run id of a suspended program is the only way back into it, for the same client only (MCPS-2).
 */
export class RequestSessions {
  readonly #options: RequestSessionsOptions;
  /** Suspended programs by run id; least recently used first. */
  readonly #owners = new Map<string, Owner>();

  constructor(options: RequestSessionsOptions) {
    this.#options = options;
  }

  /** Suspended programs that can be waited for. */
  get size(): number {
    return this.#owners.size;
  }

  /** The session of one request of a client. */
  open(client: string): FaceSession {
    const session = this.#options.face.openSession();
    return {
      scope: session.scope,
      refresh: () => session.refresh(),
      tools: async () => (await session.tools()).map((tool) => this.#wrap(tool, client, session.scope)),
    };
  }

  #wrap(tool: ModelTool, client: string, scope: RunScope): ModelTool {
    if (tool.kind !== "control") return tool;
    const call = tool.name === "exec" ? this.#exec : this.#wait;
    return { ...tool, call: (input, options = {}) => call.call(this, tool, { input, options, client, scope }) };
  }

  async #exec(exec: ModelTool, { input, options, client, scope }: ControlCall): Promise<unknown> {
    this.#dropExpired();
    const result = (await exec.call(input, { ...options, scope })) as CodeModeResult;
    if (result.status === "waiting")
      this.#owners.set(result.runId, { client, scope, waits: 0, lastUsedAt: this.#now() });
    else await this.#options.endSession(scope);
    return result;
  }

  async #wait(wait: ModelTool, { input, options, client, scope }: ControlCall): Promise<unknown> {
    const runId = String((input as { runId?: unknown } | null)?.runId);
    const owner = this.#owners.get(runId);
    if (owner === undefined || owner.client !== client) {
      // in a scope of its own a foreign run id reads as unknown
      const result = await wait.call(input, { ...options, scope });
      await this.#options.endSession(scope);
      return result;
    }
    await this.#options.endSession(scope);
    owner.waits += 1;
    try {
      const result = (await wait.call(input, { ...options, scope: owner.scope })) as CodeModeResult;
      // one that was refused because another wait is running ends nothing
      if (result.status !== "waiting" && owner.waits === 1) await this.#end(runId, owner);
      return result;
    } finally {
      owner.waits -= 1;
      owner.lastUsedAt = this.#now();
    }
  }

  async #end(runId: string, { scope }: Owner): Promise<void> {
    this.#owners.delete(runId);
    await this.#options.endSession(scope);
  }

  #dropExpired(): void {
    const before = this.#now() - this.#options.ttlMs;
    for (const [runId, owner] of this.#owners)
      if (owner.waits === 0 && owner.lastUsedAt < before) void this.#end(runId, owner);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

type ControlCall = {
  readonly input: unknown;
  readonly options: CallOptions;
  readonly client: string;
  readonly scope: RunScope;
};
