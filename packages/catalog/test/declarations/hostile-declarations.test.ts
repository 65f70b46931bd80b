import type { CodeModeTool, JsonSchema } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { buildCatalog, mcpDeclarations } from "../../src/index.ts";
import { compileErrors } from "../compile.ts";
import { mcpSpecial, mcpTool } from "../fixture-tools.ts";

const hostileText =
  "Reads */ } declare const pwn: 1; /* files\n// @ts-nocheck\u2028export const evil = 1; \u202e `${x}` ```ts\u0000";
const hostileSchema: JsonSchema = {
  type: "object",
  description: hostileText,
  properties: {
    p: { type: "string", description: hostileText, default: "*/ evil" },
    [hostileText]: { enum: ["*/", hostileText], description: hostileText },
    nested: { type: "object", properties: { q: { description: hostileText, default: "*/" } } },
    big: { enum: Array.from({ length: 90 }, (_, index) => `*/ ${index}`) },
  },
  required: ["*/ missing"],
};
const tools: CodeModeTool[] = [
  ...["delete", "export", "class", "new", "__proto__", "constructor", "*/", "a b", "搜索", hostileText].map((name) =>
    mcpTool("hostile", name, { description: hostileText, parameters: hostileSchema, outputSchema: hostileSchema }),
  ),
  ...["delete", "default", "function", "await", "my-app", "my_app", "*/ bad\n", "搜索", "index"].map((server) =>
    mcpTool(server, "t"),
  ),
  mcpSpecial("delete", "resources.read"),
  mcpSpecial("delete", "prompts.list"),
  ...Array.from({ length: 400 }, (_, index) =>
    mcpTool("large", `delete ${hostileText}${index}`, { description: hostileText }),
  ),
];
const catalog = buildCatalog({ tools, mcpServers: [{ name: "down\n*/", state: "failed", note: hostileText }] });
const paths = ["", "mcp/hostile/", "mcp/delete/"].flatMap((prefix) => catalog.listApi(prefix).map(({ path }) => path));
const asModule = (text: string): string => `${text}export {};\n`;

describe("declarations of hostile servers", () => {
  it("MCP-5 compile under tsc --strict, each file on its own", () => {
    const files = Object.fromEntries(paths.map((path, index) => [`f${index}.d.ts`, asModule(catalog.readApi(path))]));
    const whole = mcpDeclarations({ tools }).map(({ text }, index) => [`w${index}.d.ts`, asModule(text)] as const);
    expect(compileErrors({ ...files, ...Object.fromEntries(whole) })).toEqual([]);
  });

  it("MCP-5 declare nothing that a description says", () => {
    for (const path of paths) {
      const code = catalog.readApi(path).replace(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      expect(code).not.toMatch(/pwn|evil|ts-nocheck/);
    }
  });

  it("MCP-5 hold no line breaks or invisible characters inside a description", () => {
    for (const path of paths) expect(catalog.readApi(path)).not.toMatch(/[\u2028\u2029\u202a-\u202e]|(?!\n)\p{Cc}/u);
  });

  it("can be called in a strict program by the names they show", () => {
    const text = catalog.readApi("mcp/delete.d.ts");
    const program = `${text}async function f() { const r = await MCP.delete.t({ a: 1 }); const d: unknown = r.data; await MCP.delete.resources.read({ uri: "u" }); await MCP.delete.$api("t", { schema: true }); return [d, r.isError]; }\nf;\n`;
    expect(compileErrors({ "use.ts": asModule(program) })).toEqual([]);
  });

  it("cap descriptions at 400 characters for tools and 160 for parameters", () => {
    const long = mcpTool("s", "t", {
      description: "d".repeat(5_000),
      parameters: { type: "object", properties: { p: { description: "e".repeat(5_000) } } },
    });
    const text = buildCatalog({ tools: [long] }).readApi("mcp/s.d.ts");
    expect(text.match(/d{50,}/)?.[0].length).toBe(399);
    expect(text.match(/e{50,}/)?.[0].length).toBe(159);
  });

  it("stay small for schemas that multiply by reference", () => {
    const levels = 30;
    const $defs = Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        `L${level}`,
        { type: "object", properties: { a: { $ref: `#/$defs/L${level + 1}` }, b: { $ref: `#/$defs/L${level + 1}` } } },
      ]),
    );
    const text = buildCatalog({ tools: [mcpTool("s", "t", { parameters: { $ref: "#/$defs/L0", $defs } })] }).readApi(
      "mcp/s/t.d.ts",
    );
    expect(text.length).toBeLessThan(20_000);
    expect(compileErrors({ "s.d.ts": asModule(text) })).toEqual([]);
  });

  it("end at a depth that no real tool reaches, without overflowing", () => {
    let schema: JsonSchema = { type: "string" };
    for (let level = 0; level < 5_000; level++)
      schema = level % 2 === 0 ? { type: "array", items: schema } : { anyOf: [schema, { type: "null" }] };
    const text = buildCatalog({
      tools: [mcpTool("s", "t", { parameters: { type: "object", properties: { p: schema } } })],
    }).readApi("mcp/s.d.ts");
    expect(text.length).toBeLessThan(5_000);
  });
});
