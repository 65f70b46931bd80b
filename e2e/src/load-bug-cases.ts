import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BugCase, parseCases } from "@code-mode/testkit";

/** A runnable case that the product does not meet yet, and why. */
export type KnownOpen = { readonly id: string; readonly reason: string };

const folder = join(import.meta.dirname, "../cases");

/** All bug cases of the project. */
export function loadBugCases(): readonly BugCase[] {
  return parseCases(readFileSync(join(folder, "bug-cases.jsonl"), "utf8"));
}

/** The list of `known-open.json`, which can only shrink. */
export function loadKnownOpen(): readonly KnownOpen[] {
  return JSON.parse(readFileSync(join(folder, "known-open.json"), "utf8")) as readonly KnownOpen[];
}
