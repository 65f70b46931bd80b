import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didYouMean, nearestNames } from "../src/index.ts";

const tools = ["read", "write", "list_issues", "create_issue", "close_issue", "grep", "ls"];

describe("nearestNames", () => {
  it.each([
    ["raed", "read"],
    ["Read", "read"],
    ["reads", "read"],
    ["listIssues", "list_issues"],
    ["creat_issue", "create_issue"],
    ["grpe", "grep"],
    ["lss", "ls"],
  ])("finds what %s was meant to be: %s", (wanted, meant) => {
    expect(nearestNames(wanted, tools)[0]).toBe(meant);
  });

  it("finds a name that holds the wanted one, or is held by it", () => {
    expect(nearestNames("issue", tools)).toContain("create_issue");
    expect(nearestNames("github_create_issue_now", tools)).toContain("create_issue");
  });

  it("gives nothing for a name near to nothing", () => {
    expect(nearestNames("kubernetes", tools)).toEqual([]);
    expect(nearestNames("", tools)).toEqual([]);
    expect(nearestNames("read", [])).toEqual([]);
  });

  it("gives the best first, equals in the order of their names, and at most the asked number", () => {
    expect(nearestNames("cat", ["bat", "cat", "car", "cot"], 4)).toEqual(["cat", "bat", "car", "cot"]);
    expect(nearestNames("cat", ["cot", "car", "bat", "cat"])).toEqual(["cat", "bat", "car"]);
    expect(nearestNames("cat", ["cot", "car", "bat", "cat"], 1)).toEqual(["cat"]);
  });

  it("does not compare names that only hostile code has", () => {
    expect(nearestNames("x".repeat(129), ["x".repeat(129)])).toEqual([]);
    expect(nearestNames("x".repeat(128), ["x".repeat(129), "x".repeat(127)])).toEqual(["x".repeat(127)]);
  });

  it("finds every name after one swap of neighbours or one wrong letter", () => {
    const name = fc.stringMatching(/^[a-z]{4,20}$/);
    fc.assert(
      fc.property(name, fc.nat(), (word, at) => {
        const index = at % (word.length - 1);
        const swapped = `${word.slice(0, index)}${word[index + 1]}${word[index]}${word.slice(index + 2)}`;
        expect(nearestNames(swapped, [word])).toEqual([word]);
        expect(nearestNames(`${word.slice(0, index)}7${word.slice(index + 1)}`, [word])).toEqual([word]);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe("didYouMean", () => {
  it("is a sentence that starts with a space, or nothing", () => {
    expect(didYouMean("raed", tools)).toBe(" Did you mean read?");
    expect(didYouMean("kubernetes", tools)).toBe("");
  });
});
