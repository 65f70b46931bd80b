import { z } from "zod";
import { codeModeLanguages } from "./config.ts";
import { codeModeLimits, type Limit } from "./limits.ts";

const limitFields = Object.fromEntries(
  Object.entries(codeModeLimits).map(([name, limit]: [string, Limit]) => [
    name,
    z
      .number()
      .optional()
      .describe(`${limit.description} Default ${limit.default}, range ${limit.min} – ${limit.max} (${limit.unit}).`),
  ]),
);

/** Parser of the object form; unknown keys are refused. */
export const codeModeConfigObjectSchema = z
  .strictObject({
    enabled: z.boolean().optional().describe("Only true activates code mode. Default false."),
    runtime: z.literal("quickjs-wasi").optional().describe("The engine; there is one."),
    mode: z.literal("only").optional().describe("The model sees only exec, wait and direct-only tools."),
    languages: z
      .array(z.enum(codeModeLanguages))
      .optional()
      .describe("Languages a cell may be written in. Default both; an empty list refuses every cell."),
    outputOverflow: z
      .enum(["fail", "truncate"])
      .optional()
      .describe("What a cell over maxOutputBytes becomes: failed, or completed and marked truncated. Default fail."),
    waitScope: z
      .enum(["run", "session"])
      .optional()
      .describe("Who may wait for a cell: the same agent run, or any turn of the session. Default run."),
    ...limitFields,
  })
  .describe("Code mode: the model sees exec and wait instead of every tool.");

/** Parser of `tools.codeMode`: a boolean or the object form. */
export const codeModeConfigSchema = z.union([z.boolean(), codeModeConfigObjectSchema]);

/** JSON Schema (2020-12) of `tools.codeMode`, from the same source as the parser (CFG-4). */
export function codeModeConfigJsonSchema(): { [key: string]: unknown } {
  return z.toJSONSchema(codeModeConfigSchema, { target: "draft-2020-12" }) as { [key: string]: unknown };
}
