import { CodeModeError, messageOf } from "@code-mode/contract";
import json5 from "json5";
import { z } from "zod";

const toolCall = z.strictObject({
  name: z.string(),
  input: z.unknown().optional(),
  /** Raw argument text instead of `input`, to play a model that writes broken JSON. */
  arguments: z.string().optional(),
});

const step = z.strictObject({
  text: z.string().optional(),
  toolCalls: z.array(toolCall).optional(),
  finishReason: z.enum(["stop", "tool_calls", "length"]).optional(),
});

const scriptSchema = z.strictObject({
  /** Model name in answers. Default `scripted`. */
  model: z.string().optional(),
  steps: z.array(step).min(1),
});

/** What a scripted model says, one step per request of a conversation (PRV-3). */
export type Script = z.infer<typeof scriptSchema>;

/** One assistant message of a script. */
export type ScriptStep = Script["steps"][number];

/**
 * Parses the JSON5 text of a script.
 * @param name how messages name the script, usually its file
 * @throws CodeModeError `invalid_input`
 */
export function parseScript(text: string, name: string): Script {
  let value: unknown;
  try {
    value = json5.parse(text);
  } catch (error) {
    throw new CodeModeError(
      "invalid_input",
      `${name}: ${messageOf(error)}. A script is JSON5 such as {steps: [{text: "Hello"}]}.`,
    );
  }
  const parsed = scriptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "the script"}: ${issue.message}`);
  throw new CodeModeError("invalid_input", `${name}: ${faults.join("; ")}.`);
}
