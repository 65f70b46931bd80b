import type { CodeModeTool, JsonSchema, JsonValue } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { buildBench, buildTool, errorIn, valueIn } from "./executor-bench.ts";

const parameters: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer", minimum: 1 },
    mode: { enum: ["fast", "slow"] },
    filters: { type: "array", items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    target: {
      anyOf: [{ type: "string" }, { type: "object", properties: { id: { type: "number" } }, required: ["id"] }],
    },
    tags: { type: "array", uniqueItems: true },
  },
  required: ["path"],
  additionalProperties: false,
};

function refuse(input: JsonValue, schema: JsonSchema = parameters, origin?: CodeModeTool["origin"]) {
  const tool = buildTool({ name: "read", parameters: schema, ...(origin === undefined ? {} : { origin }) });
  return buildBench(tool).run({ input }).then(errorIn);
}

describe("input schema", () => {
  it("NEST-4 a schema error names the path and does not start the tool", async () => {
    expect(await refuse({ path: "a", filters: [{ name: "x" }, {}] })).toMatchObject({
      code: "invalid_tool_input",
      started: false,
      details: { path: "input.filters[1].name" },
      message: "Invalid input for read: input.filters[1].name is required (string).",
    });
  });

  it("an array or object sent as JSON text is taken for its value where the schema takes no string", async () => {
    const tool = buildTool({ name: "read", parameters, execute: (input) => input });
    const run = (input: JsonValue) => buildBench(tool).run({ input });
    expect(valueIn(await run({ path: "[1]", filters: '[{"name":"x"}]', target: "{}" }))).toEqual({
      path: "[1]",
      filters: [{ name: "x" }],
      target: "{}",
    });
    expect(errorIn(await run({ path: "a", filters: '{"name":"x"}' })).message).toContain("input.filters must be array");
    expect(errorIn(await run({ path: "a", filters: "[{}]" })).message).toContain("input.filters must be array");
  });

  it("a wrong type names what is expected and what was found", async () => {
    expect((await refuse({ path: 7 })).message).toBe("Invalid input for read: input.path must be string, found 7.");
  });

  it("an enum error lists the allowed values", async () => {
    expect((await refuse({ path: "a", mode: "turbo" })).message).toContain(
      'input.mode must be one of "fast", "slow", found "turbo"',
    );
  });

  it("an unknown key names the nearest known one and all allowed ones", async () => {
    const { message } = await refuse({ path: "a", limt: 1 });
    expect(message).toContain(
      "input.limt is not known; allowed keys: path, limit, mode, filters, target, tags. Did you mean limit?",
    );
  });

  it("several problems are named together", async () => {
    const { message } = await refuse({ limit: 0, mode: "x" });
    expect(message).toContain("input.path is required (string)");
    expect(message).toContain("input.limit must be >= 1");
    expect(message).toContain("input.mode must be one of");
  });

  it("a union is named once, without its branches", async () => {
    expect((await refuse({ path: "a", target: 1 })).message).toBe(
      "Invalid input for read: input.target must be string or object, found 1.",
    );
  });

  it("a key that is no identifier is shown in brackets", async () => {
    const schema = { type: "object", properties: { "a-b": { type: "string" } } };
    expect((await refuse({ "a-b": 1 }, schema)).details).toEqual({ path: 'input["a-b"]' });
  });

  it("values are not coerced", async () => {
    expect((await refuse({ path: "a", limit: "3" })).code).toBe("invalid_tool_input");
  });

  it("equal items are found whatever the order of their keys", async () => {
    expect(
      (
        await refuse({
          path: "a",
          tags: [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
        })
      ).message,
    ).toContain("input.tags must not hold equal items");
  });

  it("a hundred thousand different objects are compared in linear work", async () => {
    const tags = Array.from({ length: 100_000 }, (_, id) => ({ id }));
    const bench = buildBench(buildTool({ parameters, execute: () => "ok" }));
    expect(valueIn(await bench.run({ input: { path: "a", tags } }))).toBe("ok");
  });

  it("a tool without a schema takes any object and nothing else", async () => {
    const bench = buildBench(buildTool());
    expect(valueIn(await bench.run({ input: { any: 1 } }))).toEqual({ any: 1 });
    expect(errorIn(await bench.run({ input: "text" })).code).toBe("invalid_tool_input");
  });

  it("a message about a huge input stays within 2 KiB", async () => {
    const schema = {
      type: "object",
      properties: { mode: { enum: Array.from({ length: 5_000 }, (_, id) => `value-${id}`) } },
    };
    const { message } = await refuse({ mode: "x".repeat(100_000) }, schema);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2048);
    expect(message).toContain("+4970 more");
  });
});

describe("schemas that cannot be checked", () => {
  const broken: [string, JsonSchema][] = [
    ["a reference to nothing", { type: "object", properties: { a: { $ref: "#/nope" } } }],
    ["a reference to another document", { $ref: "https://example.invalid/schema.json" }],
    ["draft-04 limits", { type: "object", properties: { a: { minimum: 1, exclusiveMinimum: true } } }],
    ["draft-03 required", { type: "object", properties: { a: { type: "string", required: true } } }],
    ["an invalid expression", { type: "object", properties: { a: { pattern: "(" } } }],
    ["an unknown type", { type: "object", properties: { a: { type: "file" } } }],
    ["null as a schema", { type: "object", properties: { a: null } }],
  ];

  it.each(broken)("%s never blocks and is counted", async (_name, schema) => {
    const bench = buildBench(buildTool({ parameters: schema }));
    expect(valueIn(await bench.run({ input: { a: "b" } }))).toEqual({ a: "b" });
    expect(bench.executor.counters).toMatchObject({ unchecked: 1, validated: 0 });
    expect(bench.logs).toMatchObject([{ facts: { toolId: "t" } }]);
  });

  it("a recursive schema that overflows on a deep value does not block", async () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/loop" } },
      $defs: { loop: { allOf: [{ $ref: "#/$defs/loop" }] } },
    };
    expect(valueIn(await buildBench(buildTool({ parameters: schema })).run({ input: { a: 1 } }))).toEqual({ a: 1 });
  });

  it("two tools with one $id are both checked", async () => {
    const build = (type: string) =>
      buildTool({ parameters: { $id: "https://example.invalid/same", type: "object", properties: { a: { type } } } });
    const tools = [build("string"), build("number")];
    const bench = buildBench(buildTool(), { resolveTool: (id) => tools[Number(id)] });
    expect(errorIn(await bench.run({ toolId: "0", input: { a: 1 } })).code).toBe("invalid_tool_input");
    expect(valueIn(await bench.run({ toolId: "1", input: { a: 1 } }))).toEqual({ a: 1 });
  });

  it("older drafts that still compile are checked: tuples of draft-07", async () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } },
    };
    expect((await refuse({ pair: ["a", "b"] }, schema)).details).toEqual({ path: "input.pair[1]" });
  });

  it("a schema is compiled once per tool", async () => {
    let reads = 0;
    const schema = {
      get type() {
        reads += 1;
        return "object";
      },
    };
    const bench = buildBench(buildTool({ parameters: schema }));
    await bench.run();
    const afterFirst = reads;
    await bench.run();
    expect(reads).toBe(afterFirst);
    expect(bench.executor.counters.validated).toBe(2);
  });
});

describe("schemas of untrusted servers", () => {
  const origin = { kind: "mcp", server: "evil" } as const;

  it("types and required keys are checked", async () => {
    expect(
      (await refuse({}, { type: "object", properties: { a: { type: "string" } }, required: ["a"] }, origin)).details,
    ).toEqual({ path: "input.a" });
  });

  it("an expression of catastrophic backtracking never runs here", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", pattern: "^(a+)+$" } },
      patternProperties: { "^(b+)+$": false },
    };
    const bench = buildBench(buildTool({ parameters: schema, origin, execute: () => "ran" }));
    expect(valueIn(await bench.run({ input: { a: `${"a".repeat(200)}!`, [`${"b".repeat(200)}!`]: 1 } }))).toBe("ran");
  });

  it("expressions of a plugin do run", async () => {
    const schema = { type: "object", properties: { a: { type: "string", pattern: "^a+$" } } };
    expect((await refuse({ a: "b" }, schema, { kind: "plugin", pluginId: "p" })).code).toBe("invalid_tool_input");
  });

  it("references that double at every level are not followed", async () => {
    const levels = Array.from({ length: 40 }, (_, level) => [
      `d${level}`,
      { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
    ]);
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/d0" } },
      $defs: { ...Object.fromEntries(levels), d40: { type: "string" } },
    };
    const bench = buildBench(buildTool({ parameters: schema, origin }));
    expect(valueIn(await bench.run({ input: { a: 1 } }))).toEqual({ a: 1 });
    expect(bench.executor.counters.unchecked).toBe(1);
  });

  it("recursive schemas are left to the server", async () => {
    const schema = { type: "object", properties: { next: { $ref: "#" }, a: { type: "string" } } };
    const bench = buildBench(buildTool({ parameters: schema, origin }));
    expect(valueIn(await bench.run({ input: { a: 1 } }))).toEqual({ a: 1 });
  });
});

describe("output schema", () => {
  const outputSchema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };

  it("an output that breaks the declared schema is delivered and logged", async () => {
    const bench = buildBench(buildTool({ outputSchema, execute: () => ({ ok: "yes" }) }));
    expect(valueIn(await bench.run())).toEqual({ ok: "yes" });
    expect(bench.logs).toMatchObject([{ facts: { problem: expect.stringContaining("must be boolean") } }]);
  });

  it("a good output and the output of an MCP tool log nothing", async () => {
    const good = buildBench(buildTool({ outputSchema, execute: () => ({ ok: true }) }));
    await good.run();
    const mcp = buildBench(
      buildTool({ outputSchema, origin: { kind: "mcp", server: "s" }, execute: () => ({ content: [] }) }),
    );
    await mcp.run();
    expect([...good.logs, ...mcp.logs]).toEqual([]);
  });
});
