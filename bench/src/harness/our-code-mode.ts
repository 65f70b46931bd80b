import type {
  ApprovalPort,
  CallRecorder,
  CodeModeConfigObject,
  CodeModeTool,
  HookPort,
  PolicyPort,
  SnapshotStore,
} from "@code-mode/contract";
import { type CodeModeRuntime, createCodeMode, createToolExecutor } from "@code-mode/runtime";
import { createTrajectoryRecorder } from "@code-mode/telemetry";

/** How often each station of the product path saw a nested call, and how often tools ran. */
export type PathCounts = {
  executed: number;
  before: number;
  after: number;
  validated: number;
  recorded: number;
  outerHooks: number;
  trajectoryLines: number;
};

/** Our product path with everything on, and what its stations saw. */
export type OurCodeMode = {
  readonly codeMode: CodeModeRuntime;
  readonly counts: Readonly<PathCounts>;
  /** Throws when hooks, validator or recorder did not see every call that ran. */
  assertCounts(): void;
};

/** Options of `createOurCodeMode`. */
export type OurCodeModeOptions = {
  readonly tools: readonly CodeModeTool[];
  readonly config?: CodeModeConfigObject;
  readonly approvals?: ApprovalPort;
  readonly store?: SnapshotStore;
};

/** Creates a code mode with policy, hooks, schema validation, call recorder and trajectory on, as the gateway has them. */
export function createOurCodeMode(options: OurCodeModeOptions): OurCodeMode {
  const counts: Omit<PathCounts, "validated"> = {
    executed: 0,
    before: 0,
    after: 0,
    recorded: 0,
    outerHooks: 0,
    trajectoryLines: 0,
  };
  const trajectory = createTrajectoryRecorder({ write: () => void counts.trajectoryLines++ });
  const ports = { policy, hooks: countingHooks(counts), recorder: countingRecorder(counts, trajectory) };
  const executor = createToolExecutor({
    ...ports,
    resolveTool: (toolId, scope) => codeMode.catalog(scope).get(toolId)?.tool,
    approvals: options.approvals,
  });
  const codeMode: CodeModeRuntime = createCodeMode({
    ...ports,
    executor,
    tools: options.tools.map((tool) => countedTool(tool, counts)),
    config: options.config ?? {},
    telemetry: trajectory,
    ...(options.approvals === undefined ? {} : { approvals: options.approvals }),
    ...(options.store === undefined ? {} : { store: options.store }),
  });
  return {
    codeMode,
    get counts(): PathCounts {
      return { ...counts, validated: executor.counters.validated };
    },
    assertCounts(): void {
      assertSame({ ...counts, validated: executor.counters.validated });
    },
  };
}

const policy: PolicyPort = { check: () => ({ allow: true }) };

function countingHooks(counts: { before: number; after: number; outerHooks: number }): HookPort {
  return {
    before: async (event) => {
      if (event.toolKind === undefined) counts.before++;
      else counts.outerHooks++;
      return undefined;
    },
    after: async () => {
      counts.after++;
    },
  };
}

function countingRecorder(counts: { recorded: number }, next: CallRecorder): CallRecorder {
  return {
    record: (record) => {
      counts.recorded++;
      next.record(record);
    },
  };
}

function countedTool(tool: CodeModeTool, counts: { executed: number }): CodeModeTool {
  return {
    ...tool,
    execute: (input, context) => {
      counts.executed++;
      return tool.execute(input, context);
    },
  };
}

function assertSame(counts: PathCounts): void {
  const { executed, before, after, validated, recorded } = counts;
  if ([before, after, validated, recorded].some((count) => count !== executed))
    throw new Error(
      `the product path was not complete: ${executed} calls ran, ${before} before-hooks, ${after} after-hooks, ${validated} validations, ${recorded} records`,
    );
}
