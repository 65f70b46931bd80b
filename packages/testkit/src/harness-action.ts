import type { JsonValue } from "@code-mode/contract";
import type { CaseRun } from "./case-run.ts";

/** What an action measured, by the name of the matcher that reads it. */
export type Facts = Readonly<Record<string, JsonValue>>;

/** Prose of a `harness` step, and how it is played. */
export type HarnessAction = { readonly prose: RegExp; play(run: CaseRun, match: RegExpExecArray): Promise<Facts> };
