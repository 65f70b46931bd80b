import { existsSync, readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@code-mode/contract";
import type { ToolCall } from "@code-mode/testkit";

/** What the plugin of a case brings beside the fixture tools. */
export type FixturePlugin = {
  /** Names of further tools that return their input. */
  readonly more?: readonly string[];
  /** Source text of `hooks`. */
  readonly hooks?: string;
  /** Instead of the fixture tools: tools that a case declares, with `returns` or `echo`. */
  readonly declared?: readonly JsonObject[];
};

/** The module text of a plugin with the fixture tools; every body that runs is noted in `journal`. */
export function fixturePluginText(journal: string, { more = [], hooks, declared }: FixturePlugin = {}): string {
  return `import { appendFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
const counts = {};
const note = (entry) => appendFileSync(${JSON.stringify(journal)}, JSON.stringify(entry) + "\\n");
const any = { type: "object", properties: {} };
const tool = (name, description, parameters, body, more = {}) => ({ name, description, parameters, ...more,
  execute: (input, context) => { note({ tool: name, input }); return body(input, context); } });
const fields = (properties, required) => ({ type: "object", properties, ...(required && { required }) });
const number = { type: "number" }, string = { type: "string" };
const fixtures = [
  tool("echo", "Returns its input unchanged.", any, (input) => input),
  tool("add", "Adds two numbers.", fields({ a: number, b: number }, ["a", "b"]), ({ a, b }) => ({ sum: a + b })),
  tool("fail", "Fails with the given message.", fields({ message: string }), ({ message }) => { throw new Error(message); }),
  tool("slow", "Returns a value after some milliseconds.", fields({ ms: number, value: {} }, ["ms"]),
    ({ ms, value }, { signal }) => { signal.addEventListener("abort", () => note({ aborted: "slow" })); return after(ms, value ?? null, { signal }); }),
  tool("counter_incr", "Increments the counter of a key.", fields({ key: string }, ["key"]), ({ key }) => {
    note({ count: key }); return (counts[key] = (counts[key] ?? 0) + 1); }),
  tool("blob", "Returns a text of the given size.", fields({ bytes: number }), ({ bytes }) => ({ data: "b".repeat(bytes), length: bytes })),
  tool("approve_me", "Returns its input after a human approved the call.", any, (input) => input, { approval: "always" }),
];
const declared = ${JSON.stringify(declared ?? null)};
const own = (declared ?? []).map(({ name, description = "", inputSchema = any, echo, returns = null }) =>
  tool(name, description, inputSchema, (input) => (echo ? input : returns)));
export default { id: "fixture", tools: [...(declared === null ? fixtures : own),
  ...${JSON.stringify(more)}.map((name) => tool(name, "The tool " + name + ".", any, (input) => input))],
  ${hooks === undefined ? "" : `hooks: ${hooks},`} };
`;
}

type Line = { readonly tool?: string; readonly input?: JsonValue; readonly count?: string; readonly aborted?: string };

/** What the bodies of the plugin's tools did, over all lives of the gateway. */
export class PluginJournal {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  get calls(): readonly ToolCall[] {
    return this.#lines.flatMap(({ tool, input }) => (tool === undefined ? [] : [{ tool, input: input ?? null }]));
  }

  get ledger(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { count } of this.#lines) if (count !== undefined) counts[count] = (counts[count] ?? 0) + 1;
    return counts;
  }

  /** Names of tools whose call was aborted while it ran. */
  get aborted(): readonly string[] {
    return this.#lines.flatMap(({ aborted }) => (aborted === undefined ? [] : [aborted]));
  }

  get #lines(): readonly Line[] {
    if (!existsSync(this.#file)) return [];
    return readFileSync(this.#file, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  }
}
