/** One change that switches a rule off. */
export type Mutant = {
  readonly file: string;
  /** Text that must occur exactly once in the file, so that a patch that no longer fits is noticed. */
  readonly find: string;
  readonly replace: string;
  /** Vitest project and files, relative to the project, that should turn red. */
  readonly project: string;
  readonly tests: readonly string[];
  /** Part of the title of the tests that count; for files with tests that a busy machine turns red. */
  readonly only?: string;
};

/** One rule of the contract with the changes that must not go unnoticed. */
export type Rule = { readonly name: string; readonly mutants: readonly Mutant[] };

const supervisor = "packages/supervisor/src";
const runtime = "packages/runtime/src";
const scopeTest = { project: "runtime", tests: ["test/wait.test.ts"], only: "WAIT-3 unknown, finished, foreign" };
const poolTest = { project: "supervisor", tests: ["test/pool.test.ts"] };

/** The listed rules; each is switched off alone. */
export const rules: readonly Rule[] = [
  {
    name: "deadline: interrupt",
    mutants: [
      {
        file: `${supervisor}/thread/run-worker.ts`,
        find: 'performance.now() > this.#deadline ? "timeout" : undefined',
        replace: "undefined",
        ...poolTest,
      },
    ],
  },
  {
    name: "deadline: watchdog",
    mutants: [
      {
        file: `${supervisor}/lease.ts`,
        find: "void this.worker.terminate();",
        replace: "",
        ...poolTest,
      },
    ],
  },
  {
    name: "in-place reset",
    mutants: [
      {
        file: `${supervisor}/thread/page-delta.ts`,
        find: "image.set(from === 0 ? template : template.subarray(from), from);",
        replace: "",
        ...poolTest,
      },
      {
        file: `${supervisor}/thread/page-delta.ts`,
        find: "if (image.length > template.length) image.fill(0, template.length);",
        replace: "",
        project: "supervisor",
        tests: ["test/page-delta.test.ts"],
      },
    ],
  },
  {
    name: "template id check",
    mutants: [
      {
        file: `${runtime}/suspended-state.ts`,
        find: "state.version !== 1 || state.templateId !== templateId",
        replace: "state.version !== 1",
        project: "runtime",
        tests: ["test/suspension.test.ts"],
      },
    ],
  },
  {
    name: "output budget",
    mutants: [
      {
        file: `${supervisor}/thread/cell-output.ts`,
        find: "if (bytes <= left) {",
        replace: "if (bytes <= left || left > 0) {",
        project: "runtime",
        tests: ["test/output.test.ts", "test/limits.test.ts"],
      },
      {
        file: `${runtime}/settle-result.ts`,
        find: "cell.outputUse.usedBytes + end.valueBytes <= budget",
        replace: "budget > 0",
        project: "runtime",
        tests: ["test/output.test.ts"],
      },
    ],
  },
  {
    name: "wait scope check",
    mutants: [
      {
        file: `${runtime}/suspended-runs.ts`,
        find: "owner.sessionId !== scope.sessionId || owner.agentId !== scope.agentId",
        replace: "owner.agentId !== scope.agentId",
        ...scopeTest,
      },
      {
        file: `${runtime}/suspended-runs.ts`,
        find: 'run.cell.config.waitScope === "run" && owner.agentRunId !== scope.agentRunId',
        replace: "owner.agentRunId === undefined",
        ...scopeTest,
      },
    ],
  },
  {
    name: "drain of unawaited calls",
    mutants: [
      {
        file: `${supervisor}/guest/cell.ts`,
        find: 'if (outbox !== "" || this.calls.pendingCount > 0)',
        replace: 'if (this.#value === undefined && (outbox !== "" || this.calls.pendingCount > 0))',
        project: "runtime",
        tests: ["test/exec.test.ts"],
      },
    ],
  },
  {
    name: "queue cap",
    mutants: [
      {
        file: `${runtime}/call-table.ts`,
        find: "if (this.#queue.length >= fixedLimits.maxQueuedToolCalls) {",
        replace: "if (this.#queue.length > 1e9) {",
        project: "runtime",
        tests: ["test/call-table.test.ts"],
      },
      {
        file: `${supervisor}/guest/cell.ts`,
        find: "if (this.calls.pendingCount >= this.#begin.maxOutstanding)",
        replace: "if (this.calls.pendingCount > 1e9)",
        ...poolTest,
      },
    ],
  },
  {
    name: "module ban",
    mutants: [
      {
        file: "packages/transform/src/inspect-program.ts",
        find: "this.#access.push({ node, what });",
        replace: "",
        project: "transform",
        tests: ["test/module-access.test.ts"],
      },
      {
        file: "packages/transform/src/inspect-program.ts",
        find: "if (!used.knows(name)) this.#access.push({ node, what: name });",
        replace: "",
        project: "transform",
        tests: ["test/module-access.test.ts"],
      },
    ],
  },
  {
    name: "nesting cap",
    mutants: [
      {
        file: `${runtime}/settle-result.ts`,
        find: "jsonDepth(json) > fixedLimits.maxValueDepth",
        replace: "jsonDepth(json) > 1e9",
        project: "runtime",
        tests: ["test/limits.test.ts"],
      },
      {
        file: `${runtime}/dispatch-calls.ts`,
        find: "const deep = jsonDepth(callsJson) > fixedLimits.maxValueDepth;",
        replace: "const deep = callsJson === undefined;",
        project: "runtime",
        tests: ["test/limits.test.ts"],
      },
      {
        file: `${runtime}/tool-executor/to-reply-value.ts`,
        find: "if (isTooDeep(text))",
        replace: 'if (text === "" && isTooDeep(text))',
        project: "runtime",
        tests: ["test/limits.test.ts"],
      },
    ],
  },
  {
    name: "ledger, exactly once",
    mutants: [
      {
        file: `${runtime}/call-table.ts`,
        find: "if (line !== undefined) line.status = status;",
        replace: "if (line !== undefined) line.status;",
        project: "runtime",
        tests: ["test/what-ran.test.ts"],
      },
      {
        file: `${runtime}/call-table.ts`,
        find: "else if (outcome.started) this.#failed++;",
        replace: "else if (outcome.started) this.#completed++;",
        project: "runtime",
        tests: ["test/what-ran.test.ts"],
      },
      {
        file: "packages/bridge/src/parse-calls.ts",
        find: "if (sequence !== expected)",
        replace: "if (typeof sequence !== typeof expected)",
        project: "bridge",
        tests: ["test/parse-calls.test.ts"],
      },
      {
        file: `${runtime}/suspended-runs.ts`,
        find: 'if (run.resuming) throw new CodeModeError("invalid_input", "code mode run is already being resumed.");',
        replace: "",
        project: "runtime",
        tests: ["test/suspension.test.ts"],
      },
      {
        file: `${supervisor}/guest/calls.ts`,
        find: "mapDelete(this.#pending, row[0] as number);",
        replace: "",
        ...poolTest,
      },
    ],
  },
];
