import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CallDeadline } from "../../src/client/call-deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("MCP-8 silence ends a call, a sign of life starts it anew, and ten times the time is the end", () => {
  using silent = new CallDeadline(100);
  vi.advanceTimersByTime(99);
  expect(silent.ended).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect([silent.ended, silent.signal.aborted]).toEqual(["silence", true]);

  using busy = new CallDeadline(100);
  for (let step = 0; step < 19; step += 1) {
    vi.advanceTimersByTime(50);
    busy.touch();
  }
  expect(busy.ended).toBeUndefined();
  vi.advanceTimersByTime(50);
  expect(busy.ended).toBe("cap");
});

it("MCP-8 while a user is asked no time passes, and what was left of the whole is left afterwards", () => {
  using deadline = new CallDeadline(100);
  vi.advanceTimersByTime(90);
  const [first, second] = [deadline.pause(), deadline.pause()];
  vi.advanceTimersByTime(5_000);
  first();
  first();
  vi.advanceTimersByTime(5_000);
  deadline.touch();
  expect(deadline.ended).toBeUndefined();
  second();
  for (let step = 0; step < 18; step += 1) {
    vi.advanceTimersByTime(50);
    deadline.touch();
  }
  expect(deadline.ended).toBeUndefined();
  vi.advanceTimersByTime(50);
  expect(deadline.ended).toBe("cap");
});

it("a call that is over has no timers", () => {
  const deadline = new CallDeadline(100);
  const resume = deadline.pause();
  deadline[Symbol.dispose]();
  resume();
  expect(vi.getTimerCount()).toBe(0);
});
