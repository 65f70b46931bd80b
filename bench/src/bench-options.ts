import { parseArgs } from "node:util";

/** What the command line of `pnpm bench` asks for. */
export type BenchOptions = {
  /** Tiny counts, to see whether everything works; figures mean nothing and are not published. */
  readonly quick: boolean;
  /** Missed budgets make the exit code 1 too. */
  readonly strict: boolean;
  /** Ids to run, such as `B1`; empty means all. */
  readonly only: readonly string[];
  readonly rounds: number;
  readonly seed: number;
  readonly soakCells: number;
};

/** Help text of the command. */
export const benchUsage = `pnpm bench [--quick] [--strict] [--only B1,B7] [--rounds 7] [--seed 1] [--soak-cells 2000]

  --quick       a tenth of the iterations and 2 rounds: checks that everything runs; writes to bench/.results
  --strict      exit 1 also when a budget is missed (without it only when a measurement failed)
  --only        run only these; writes to bench/.results
  --rounds      interleaved rounds per comparison (default 7)
  --seed        seed of all random choices (default 1)
  --soak-cells  cells of B15 (default 2000; pnpm bench:soak runs 20,000)`;

/**
 * Parses the command line.
 * @throws Error for an unknown flag or a number that is none
 */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== "--"),
    options: {
      quick: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      rounds: { type: "string" },
      seed: { type: "string", default: "1" },
      "soak-cells": { type: "string", default: "2000" },
    },
  });
  return {
    quick: values.quick,
    strict: values.strict,
    only: values.only.split(",").filter((id) => id !== ""),
    rounds: parseCount("--rounds", values.rounds ?? (values.quick ? "2" : "7")),
    seed: parseCount("--seed", values.seed),
    soakCells: parseCount("--soak-cells", values["soak-cells"]),
  };
}

/**
 * Parses a whole number of at least 1.
 * @throws Error that names the flag
 */
export function parseCount(flag: string, text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`${flag}: found "${text}", expected a whole number of at least 1.\n\n${benchUsage}`);
  return count;
}
