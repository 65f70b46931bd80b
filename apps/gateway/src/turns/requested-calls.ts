import { didYouMean, type JsonValue, type ModelTool } from "@code-mode/contract";
import { isPlainObject } from "./plain-object.ts";

/** A tool call of the model; with a fault it must not run. */
export type RequestedCall = {
  readonly toolCallId: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly fault?: string;
};

/** A call as the library read it off the stream. */
export type ReadCall = { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };

/** Reasons of a reply that is not whole: what it says last may be a part of what was meant. */
const cutOff: ReadonlyMap<string, string> = new Map([
  ["length", "was truncated by the output limit (max tokens) and did not run. Send a shorter program"],
  ["content-filter", "was cut off by the provider's content filter and did not run. Send it in another form"],
  ["error", "was cut off by an error of the provider and did not run. Send it again"],
]);

/**
 * The calls of one reply, with a fault where one must not run (PRV-2): cut off, arguments that are no JSON object, or
 * a tool that is not there.
 */
export function requestedCalls(
  calls: readonly ReadCall[],
  { finishReason, tools }: { readonly finishReason: string; readonly tools: readonly ModelTool[] },
): readonly RequestedCall[] {
  return calls.map(({ toolCallId, toolName, input }) => {
    const fault = faultOf(toolName, input, { finishReason, tools });
    return {
      toolCallId,
      name: toolName,
      input: input as JsonValue,
      ...(fault === undefined ? {} : { fault }),
    };
  });
}

function faultOf(
  name: string,
  input: unknown,
  { finishReason, tools }: { readonly finishReason: string; readonly tools: readonly ModelTool[] },
): string | undefined {
  const cut = cutOff.get(finishReason);
  if (cut !== undefined) return `the call ${cut}.`;
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return unknownTool(name, tools);
  if (isPlainObject(input)) return undefined;
  return `the arguments are not one JSON object and nothing ran. Send them as JSON: ${exampleOf(tool)}.`;
}

function unknownTool(name: string, tools: readonly ModelTool[]): string {
  const names = tools.map((tool) => tool.name);
  const inside = names.includes("exec") ? " Other tools are reached from a program given to exec." : "";
  const known = names.length === 0 ? " This run has no tools: answer with text." : ` Tools: ${names.join(", ")}.`;
  return `there is no tool ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, names)}${known}${inside}`;
}

function exampleOf({ inputSchema }: ModelTool): string {
  const { required, properties } = inputSchema;
  const keys = Array.isArray(required)
    ? required
    : Object.keys(isPlainObject(properties) ? properties : {}).slice(0, 3);
  return `{${keys.map((key) => `${JSON.stringify(key)}: …`).join(", ")}}`;
}
