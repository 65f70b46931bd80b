import {
  type ApprovalPort,
  type CallRecorder,
  type CodeModeTool,
  codeModeLimits,
  fixedLimits,
  type HookPort,
  type JsonObject,
  type PolicyPort,
  type RunScope,
} from "@code-mode/contract";

/** What `createToolExecutor` takes; only `resolveTool` is needed. */
export type ToolExecutorOptions = {
  /** The tool with exactly this catalog id in the catalog of this scope. */
  resolveTool(toolId: string, scope: RunScope): CodeModeTool | undefined;
  /** Default: everything that resolves may run. */
  readonly policy?: PolicyPort | undefined;
  readonly hooks?: HookPort | undefined;
  /** Default: no call needs a human, and a tool with `approval: "always"` is refused. */
  readonly approvals?: ApprovalPort | undefined;
  readonly recorder?: CallRecorder | undefined;
  /** Most JSON bytes of one reply. Default a sixteenth of the default memory limit (4 MiB). */
  readonly maxReplyBytes?: number | ((scope: RunScope) => number) | undefined;
  /** Wall clock of records in ms. Default `Date.now`. */
  now?(): number;
  /** Receives what tools log and what the executor noticed: unchecked schemas, output that breaks its schema, failed after-hooks, late results. */
  log?(message: string, facts: JsonObject): void;
};

/** `ToolExecutorOptions` after defaults. */
export type ResolvedToolExecutorOptions = Omit<ToolExecutorOptions, "maxReplyBytes" | "now" | "log"> & {
  maxReplyBytes(scope: RunScope): number;
  now(): number;
  log(message: string, facts: JsonObject): void;
};

/** Fills in the defaults. A failing `log` is dropped: no call may end differently because of it. */
export function resolveToolExecutorOptions(options: ToolExecutorOptions): ResolvedToolExecutorOptions {
  const { maxReplyBytes = codeModeLimits.memoryLimitBytes.default / fixedLimits.replyShareOfMemory } = options;
  return {
    resolveTool: (toolId, scope) => options.resolveTool(toolId, scope),
    policy: options.policy,
    hooks: options.hooks,
    approvals: options.approvals,
    recorder: options.recorder,
    maxReplyBytes: (scope) => (typeof maxReplyBytes === "number" ? maxReplyBytes : maxReplyBytes(scope)),
    now: () => options.now?.() ?? Date.now(),
    log: (message, facts) => {
      try {
        options.log?.(message, facts);
      } catch {
        // The sink is broken; there is nowhere else to say so.
      }
    },
  };
}
