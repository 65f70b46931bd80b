/** The two engines that are compared. */
export type EngineName = "ours" | "run";

/** A cell that paused for approval, was approved and went on. */
export type GatedCell = { readonly value: unknown; readonly storedBytes: number };

/** An engine as tasks use it: both take the same guest text, with `tools.add` and `tools.publish` in scope. */
export type Engine = {
  readonly name: EngineName;
  /** Runs a program to its end and returns its value; anything but completion throws. */
  runCell(source: string): Promise<unknown>;
  /** Runs a program that calls `tools.publish`, which needs approval: until it is suspended, then resumed to its end. */
  runGatedCell(source: string): Promise<GatedCell>;
  /** Throws when a call escaped hooks, validator or recorder. */
  assertCounts(): void;
  dispose(): Promise<void>;
};

/** How much of a task is wanted, and the seed of its random choices. */
export type TaskRequest = { readonly iterations: number; readonly seed: number };

/** What one round of a task measured; `facts` are numbers that are not times. */
export type Sample = { readonly values: readonly number[]; readonly facts: Readonly<Record<string, number>> };

/** One round of work on an engine. Must check what the engine returns: a wrong answer is no measurement. */
export type EngineTask = (engine: Engine, request: TaskRequest) => Promise<Sample>;

/** Milliseconds of each of `iterations` runs of `work`, one after the other. */
export async function timeEach(iterations: number, work: (index: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < iterations; index++) {
    const from = performance.now();
    await work(index);
    times.push(performance.now() - from);
  }
  return times;
}

/** Throws unless a program returned what it must. */
export function assertValue(found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`a cell returned ${JSON.stringify(found)?.slice(0, 200)} instead of ${JSON.stringify(expected)}`);
}
