import { expect, it } from "vitest";
import { FailedAttempts } from "../../src/http/failed-attempts.ts";

function clocked(options: { maxAddresses?: number } = {}) {
  let time = 0;
  const attempts = new FailedAttempts({ ...options, now: () => time });
  return {
    attempts,
    fail: (address: string, count: number) => {
      for (let index = 0; index < count; index++) attempts.failed(address);
    },
    pass: (ms: number) => {
      time += ms;
    },
  };
}

it("GW-1 nine wrong tokens in a minute are free, the tenth locks the address out for a minute", () => {
  const { attempts, fail, pass } = clocked();
  fail("10.0.0.1", 9);
  expect(attempts.lockedForMs("10.0.0.1")).toBe(0);
  fail("10.0.0.1", 1);
  expect(attempts.lockedForMs("10.0.0.1")).toBe(60_000);
  expect(attempts.lockedForMs("10.0.0.2")).toBe(0);
  pass(59_999);
  expect(attempts.lockedForMs("10.0.0.1")).toBe(1);
  pass(1);
  expect(attempts.lockedForMs("10.0.0.1")).toBe(0);
  fail("10.0.0.1", 9);
  expect(attempts.lockedForMs("10.0.0.1")).toBe(0);
});

it("failures that are older than a minute do not count", () => {
  const { attempts, fail, pass } = clocked();
  fail("10.0.0.1", 9);
  pass(60_000);
  fail("10.0.0.1", 9);
  expect(attempts.lockedForMs("10.0.0.1")).toBe(0);
});

it("the addresses of one IPv6 network count as one, and IPv4 written as IPv6 as itself", () => {
  const { attempts, fail } = clocked();
  fail("2001:db8:1:2::1", 5);
  fail("2001:db8:1:2:ffff:1:2:3", 5);
  expect(attempts.lockedForMs("2001:db8:1:2::9")).toBeGreaterThan(0);
  expect(attempts.lockedForMs("2001:db8:1:3::1")).toBe(0);
  fail("::ffff:10.0.0.1", 10);
  expect(attempts.lockedForMs("10.0.0.1")).toBeGreaterThan(0);
  fail("::1", 10);
  expect(attempts.lockedForMs("::1")).toBeGreaterThan(0);
});

it("no more addresses are remembered than allowed, the oldest go first", () => {
  const { attempts, fail } = clocked({ maxAddresses: 2 });
  fail("10.0.0.1", 10);
  fail("10.0.0.2", 10);
  fail("10.0.0.3", 10);
  expect(["10.0.0.1", "10.0.0.2", "10.0.0.3"].map((address) => attempts.lockedForMs(address) > 0)).toEqual([
    false,
    true,
    true,
  ]);
});
