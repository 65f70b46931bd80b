/** What an executor has done since it was created; each number only grows. */
export type ExecutorCounters = {
  /** Calls taken. */
  calls: number;
  /** Calls that before-hooks were asked about. */
  hooked: number;
  /** Inputs checked against their schema. */
  validated: number;
  /** Inputs whose schema cannot be checked; they ran unchecked. */
  unchecked: number;
  /** Tools started. */
  started: number;
  /** Calls recorded. */
  recorded: number;
  /** Results that came after their call had ended and were dropped. */
  late: number;
};

/** All zero. */
export function buildExecutorCounters(): ExecutorCounters {
  return { calls: 0, hooked: 0, validated: 0, unchecked: 0, started: 0, recorded: 0, late: 0 };
}
