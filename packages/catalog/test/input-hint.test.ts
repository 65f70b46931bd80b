import { describe, expect, it } from "vitest";
import { compactInputHint } from "../src/index.ts";

describe("compactInputHint", () => {
  it("SUR-6 shows required properties first on one line", () => {
    const schema = {
      type: "object",
      properties: { limit: { type: "integer" }, path: { type: "string" } },
      required: ["path"],
    };
    expect(compactInputHint(schema)).toBe("{ path: string; limit?: number }");
  });

  it.each([
    [{ type: "object", properties: { a: { enum: ["x", "y"] } } }, '{ a?: "x" | "y" }'],
    [{ type: "object", properties: { a: { type: "array", items: { type: "string" } } } }, "{ a?: string[] }"],
    [{ type: "object", properties: { a: { type: "array", items: { enum: [1, 2] } } } }, "{ a?: (1 | 2)[] }"],
    [{ type: "object", properties: { a: { type: "object", properties: { b: { type: "string" } } } } }, "{ a?: {…} }"],
    [{ type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } }, "{ a?: string | null }"],
    [{ type: "object", properties: { a: { type: ["number", "null"] } } }, "{ a?: number | null }"],
    [
      { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { type: "boolean" } } },
      "{ a?: boolean }",
    ],
    [{ type: "object", properties: { "x-y": {} } }, '{ "x-y"?: unknown }'],
    [{ type: "object", additionalProperties: true }, "{ … }"],
    [{ type: "object" }, "{}"],
    [undefined, "{}"],
    [true, "{}"],
    [{ properties: null, required: 3 }, "{}"],
    [
      { type: "object", properties: { a: null, b: { type: 7 }, c: { $ref: "#/nowhere" } } },
      "{ a?: unknown; b?: unknown; c?: unknown }",
    ],
  ])("shows %j as %s", (schema, hint) => {
    expect(compactInputHint(schema)).toBe(hint);
  });

  it("stays one short line for hostile schemas", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`line\n${"x".repeat(200)}${index}`, { enum: ["a\nb", "c"] }]),
    );
    const hint = compactInputHint({ type: "object", properties });
    expect(hint).not.toContain("\n");
    expect(hint.length).toBeLessThanOrEqual(170);
    expect(hint.endsWith("… }")).toBe(true);
  });
});
