import { randomBytes } from "node:crypto";
import {
  createRunner,
  getHostFunctionContext,
  type HostFunctions,
  type Runner,
  type RunResult,
  setMaxWorkers,
} from "run";
import type { Engine, GatedCell } from "./engine.ts";
import { add, publish } from "./fixture-tools.ts";

/** Caps under which `run` can do every task; with its defaults 100 parallel calls and 1 MB results fail. */
const limits = {
  timeoutMs: 60_000,
  maxResultBytes: 32 * 1024 * 1024,
  maxBridgeRequests: 100_000,
  maxInFlightBridgeRequests: 1024,
};

/** More than any task needs at once: its own default depends on free memory and refuses what is over. */
const maxWorkers = 16;

/** The peer as its README shows it: one shared runner, pooled workers, signed continuations. */
export async function createRunEngine(): Promise<Engine> {
  setMaxWorkers(maxWorkers);
  return new RunEngine();
}

class RunEngine implements Engine {
  readonly name = "run";
  readonly #runner: Runner<string> = createRunner<string>({ limits, continuationSecret: randomBytes(32) });
  readonly #hostFunctions: HostFunctions = { tools: { add, publish: publishWhenApproved } };

  async runCell(source: string): Promise<unknown> {
    return completedValue(await this.#runner.run({ source, hostFunctions: this.#hostFunctions }));
  }

  async runGatedCell(source: string): Promise<GatedCell> {
    const hostFunctions = this.#hostFunctions;
    const first = await this.#runner.run({ source, hostFunctions });
    if (first.status !== "interrupted") throw new Error("expected an interrupted run");
    const { continuation, interruptions } = first;
    const resolutions = interruptions.map(({ id }) => ({ interruptionId: id, value: true }));
    const value = completedValue(await this.#runner.run({ source, hostFunctions, continuation, resolutions }));
    return { value, storedBytes: Buffer.byteLength(continuation) };
  }

  assertCounts(): void {
    // `run` has no hooks, no validator and no recorder to count.
  }

  async dispose(): Promise<void> {
    // Its pool belongs to the process and goes with it.
  }
}

function publishWhenApproved(input: { draft: string }): unknown {
  const { interrupt, resume } = getHostFunctionContext();
  if (resume === undefined) interrupt({ kind: "approval", message: `Publish ${input.draft}?` });
  return publish(input);
}

function completedValue(result: RunResult): unknown {
  if (result.status !== "completed") throw new Error(`expected a completed run, got ${result.status}`);
  return result.value;
}
