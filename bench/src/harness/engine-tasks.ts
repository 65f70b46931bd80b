import { largeResultTask } from "../large-result.ts";
import { parallelCallsTask } from "../parallel-calls.ts";
import { sequentialCallsTask } from "../sequential-calls.ts";
import { suspendResumeTask } from "../suspend-resume.ts";
import { throughputTask } from "../throughput.ts";
import { trivialCellTask } from "../trivial-cell.ts";
import type { EngineTask } from "./engine.ts";

/** Every task that both engines can do, by the name under which the parent asks for it. */
export const engineTasks = {
  trivialCell: trivialCellTask,
  sequentialCalls: sequentialCallsTask,
  parallelCalls: parallelCallsTask,
  largeResult: largeResultTask,
  suspendResume: suspendResumeTask,
  throughput: throughputTask,
} as const satisfies Record<string, EngineTask>;

/** Name of a task. */
export type EngineTaskName = keyof typeof engineTasks;
