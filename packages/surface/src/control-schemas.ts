import type { JsonObject, ResolvedCodeModeConfig } from "@code-mode/contract";

/** Input schema of `exec`: flat, because some providers refuse combinators (SUR-4). The alias `command` is not advertised. */
export function execInputSchema(config: ResolvedCodeModeConfig): JsonObject {
  // An empty enum is no valid schema; with no language enabled every program is refused anyway.
  const language = config.languages.length === 0 ? { type: "string" } : { type: "string", enum: config.languages };
  return {
    type: "object",
    properties: {
      code: { type: "string", description: "Program source." },
      language: { ...language, description: "Default javascript." },
      restartSafe: { type: "boolean", description: "Allow only read-only calls." },
    },
    required: ["code"],
  };
}

/** Input schema of `wait`. */
export function waitInputSchema(): JsonObject {
  return {
    type: "object",
    properties: { runId: { type: "string", description: "runId of a waiting result." } },
    required: ["runId"],
  };
}
