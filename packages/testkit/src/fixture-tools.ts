import { setTimeout as delay } from "node:timers/promises";
import type { CodeModeTool, JsonObject, JsonSchema, JsonValue, ToolContext } from "@code-mode/contract";
import type { ToolJournal } from "./tool-journal.ts";

type Body = (input: JsonObject, context: ToolContext) => unknown;
type FixtureTool = { description: string; properties?: Record<string, JsonSchema>; required?: string[]; body: Body };

/**
 * The hidden catalog of the bug cases: `echo`, `add`, `fail`, `slow`, `counter_incr`, `blob`, `approve_me`,
 * all of origin core. Bodies report to `journal`; `slow` ends early when its call is aborted.
 */
export function createFixtureTools(journal: ToolJournal): readonly CodeModeTool[] {
  return Object.entries(fixtureTools(journal)).map(([name, tool]) => ({
    name,
    description: tool.description,
    parameters: {
      type: "object",
      properties: tool.properties ?? {},
      ...(tool.required ? { required: tool.required } : {}),
    },
    ...(name === "approve_me" ? { approval: "always" as const } : {}),
    execute(input: JsonValue, context: ToolContext): unknown {
      journal.began(name, input);
      return tool.body(input as JsonObject, context);
    },
  }));
}

function fixtureTools(journal: ToolJournal): Readonly<Record<string, FixtureTool>> {
  const number = { type: "number" };
  const string = { type: "string" };
  return {
    echo: { description: "Returns its input unchanged.", body: (input) => input },
    add: {
      description: "Adds two numbers.",
      properties: { a: number, b: number },
      required: ["a", "b"],
      body: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
    },
    fail: {
      description: "Fails with the given message.",
      properties: { message: string },
      body: ({ message }) => {
        throw new Error(String(message));
      },
    },
    slow: {
      description: "Returns a value after some milliseconds.",
      properties: { ms: number, value: {} },
      required: ["ms"],
      body: ({ ms, value }, { signal }) => delay(Number(ms), value ?? null, { signal }),
    },
    counter_incr: {
      description: "Increments the counter of a key, a side effect that stays.",
      properties: { key: string },
      required: ["key"],
      body: ({ key }) => journal.count(String(key)),
    },
    blob: {
      description: "Returns a text of the given size.",
      properties: { bytes: number },
      required: ["bytes"],
      body: ({ bytes }) => ({ data: "b".repeat(Number(bytes)), length: Number(bytes) }),
    },
    approve_me: { description: "Returns its input after a human approved the call.", body: (input) => input },
  };
}
