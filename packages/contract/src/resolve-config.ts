import { availableParallelism } from "node:os";
import type { CodeModeConfigObject, ResolvedCodeModeConfig } from "./config.ts";
import { codeModeLanguages } from "./config.ts";
import { codeModeConfigObjectSchema } from "./config-schema.ts";
import { describeFound } from "./describe-found.ts";
import { describeIssues } from "./describe-issues.ts";
import { CodeModeError } from "./error.ts";
import { type CodeModeLimitName, codeModeLimits, type Limit } from "./limits.ts";

/** Options of `resolveCodeModeConfig`. */
export type ResolveConfigOptions = {
  /** `agents.<id>.tools.codeMode`: merged field by field over the base (CFG-5). */
  readonly override?: unknown;
  /** Where the base stands in the user's file, for messages. Default `tools.codeMode`. */
  readonly path?: string;
  /** Where the override stands. Default `agents.<id>.tools.codeMode`. */
  readonly overridePath?: string;
};

/**
 * The complete, frozen configuration of `tools.codeMode`.
 * @throws CodeModeError `invalid_input` that names path, finding, what is accepted and the nearest key (CFG-3)
 */
export function resolveCodeModeConfig(input: unknown, options: ResolveConfigOptions = {}): ResolvedCodeModeConfig {
  const base = parseConfig(input, options.path ?? "tools.codeMode");
  const overridePath = options.overridePath ?? "agents.<id>.tools.codeMode";
  const override = parseConfig(options.override, overridePath);
  for (const [name, limit] of Object.entries(codeModeLimits) as [CodeModeLimitName, Limit][]) {
    if (limit.global && override[name] !== undefined)
      throw new CodeModeError(
        "invalid_input",
        `${overridePath}.${name} cannot be set per agent: it bounds the whole process. Set tools.codeMode.${name} instead.`,
      );
  }
  return complete({ ...base, ...withoutUndefined(override) });
}

function parseConfig(input: unknown, path: string): CodeModeConfigObject {
  if (input === undefined) return {};
  if (typeof input === "boolean") return { enabled: input };
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new CodeModeError(
      "invalid_input",
      `${path}: found ${describeFound(input)}, expected true, false or an object of code mode options.`,
    );
  const parsed = codeModeConfigObjectSchema.safeParse(input);
  if (!parsed.success)
    throw new CodeModeError(
      "invalid_input",
      describeIssues(parsed.error.issues, { input, path, known: Object.keys(codeModeConfigObjectSchema.shape) }),
    );
  return parsed.data as CodeModeConfigObject;
}

/** A field that is there but undefined overrides nothing. */
function withoutUndefined(config: CodeModeConfigObject): CodeModeConfigObject {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

function complete(merged: CodeModeConfigObject): ResolvedCodeModeConfig {
  const limits = {} as Record<CodeModeLimitName, number>;
  for (const [name, limit] of Object.entries(codeModeLimits) as [CodeModeLimitName, Limit][]) {
    const fallback = name === "maxConcurrentCells" ? Math.max(2, availableParallelism()) : limit.default;
    limits[name] = clamp(merged[name] ?? fallback, limit);
  }
  limits.searchDefaultLimit = Math.min(limits.searchDefaultLimit, limits.maxSearchLimit);
  return Object.freeze({
    ...limits,
    enabled: merged.enabled === true,
    runtime: "quickjs-wasi" as const,
    mode: "only" as const,
    languages: Object.freeze(
      codeModeLanguages.filter((language) => (merged.languages ?? codeModeLanguages).includes(language)),
    ),
    outputOverflow: merged.outputOverflow ?? "fail",
    waitScope: merged.waitScope ?? "run",
  });
}

function clamp(value: number, limit: Limit): number {
  return Math.min(limit.max, Math.max(limit.min, Math.trunc(value)));
}
