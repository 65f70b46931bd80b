import { expect, it } from "vitest";
import { maxEntriesPerSlice, SlicedTask } from "../../src/search/sliced-task.ts";

function* count(to: number, seen: number[] = []): Generator<undefined, number> {
  for (let step = 0; step < to; step++) {
    seen.push(step);
    yield;
  }
  return to;
}

it("runs in slices of at most 64 entries and gives the event loop a turn after each", async () => {
  const slices: number[] = [];
  const task = new SlicedTask(count(1_000), (entries) => slices.push(entries));
  let turns = 0;
  let open = true;
  const tick = (): void => {
    turns++;
    if (open) setImmediate(tick);
  };
  setImmediate(tick);
  expect(await task.run()).toBe(1_000);
  open = false;
  expect(Math.max(...slices)).toBeLessThanOrEqual(maxEntriesPerSlice);
  expect(slices.reduce((sum, entries) => sum + entries, 0)).toBe(1_000);
  expect(turns).toBeGreaterThanOrEqual(slices.length - 1);
});

it("does each step once, however many wait and whoever needs it at once", async () => {
  const seen: number[] = [];
  const task = new SlicedTask(count(500, seen));
  const waiting = [task.run(), task.run()];
  await new Promise((resolve) => setImmediate(resolve));
  expect(task.finish()).toBe(500);
  expect(await Promise.all(waiting)).toEqual([500, 500]);
  expect(seen).toEqual(Array.from({ length: 500 }, (_, step) => step));
});
