import type { CodeModeLimitName } from "./limits.ts";

/** Source languages of a cell. */
export const codeModeLanguages = ["javascript", "typescript"] as const;

/** One language of `codeModeLanguages`. */
export type CodeModeLanguage = (typeof codeModeLanguages)[number];

/** The `tools.codeMode` object as a user writes it; every field is optional (CFG-2). */
export type CodeModeConfigObject = Partial<Record<CodeModeLimitName, number>> & {
  enabled?: boolean;
  runtime?: "quickjs-wasi";
  mode?: "only";
  languages?: CodeModeLanguage[];
  outputOverflow?: "fail" | "truncate";
  waitScope?: "run" | "session";
};

/** What `tools.codeMode` may hold; `true` is shorthand for `{enabled: true}` (CFG-1). */
export type CodeModeConfig = undefined | boolean | CodeModeConfigObject;

/** The complete configuration after defaults and clamps. */
export type ResolvedCodeModeConfig = Readonly<Record<CodeModeLimitName, number>> & {
  readonly enabled: boolean;
  readonly runtime: "quickjs-wasi";
  readonly mode: "only";
  readonly languages: readonly CodeModeLanguage[];
  readonly outputOverflow: "fail" | "truncate";
  readonly waitScope: "run" | "session";
};
