import { describe, expect, it } from "vitest";
import { buildChildEnvironment } from "../../src/client/child-environment.ts";
import { LineSplitter } from "../../src/client/line-splitter.ts";
import { listPages } from "../../src/client/list-pages.ts";
import { mcpLimits } from "../../src/client/mcp-limits.ts";
import { oneLine } from "../../src/client/one-line.ts";
import { findSchemaProblems } from "../../src/client/schema-problems.ts";

function split(chunks: string[], maxBytes: number, overflow: "cut" | "fail"): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter({ maxBytes, overflow, onLine: (line) => lines.push(line) });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk, "latin1"));
  splitter.flush();
  return lines;
}

describe("the line splitter", () => {
  it("lines are whole whatever the chunks, also inside a character and a line end", () => {
    const bytes = Buffer.from("ä\r\nb\n\nc").toString("latin1");

    expect(split([...bytes], 10, "fail")).toEqual(["ä", "b", "c"]);
    expect(split([bytes], 10, "fail")).toEqual(["ä", "b", "c"]);
  });

  it("a line at the limit passes, one over is cut or fails", () => {
    expect(split(["abc\n"], 3, "fail")).toEqual(["abc"]);
    expect(split(["ab", "cd\ne"], 3, "cut")).toEqual(["abc", "e"]);
    expect(() => split(["ab", "cd"], 3, "fail")).toThrow(RangeError);
  });
});

describe("lists in pages", () => {
  it("a list that never ends is cut at the limit of items and says so", async () => {
    const page = Array.from({ length: 3_000 }, () => ({}));
    let cursor = 0;

    const { items, problem } = await listPages("tools", async () => {
      cursor += 1;
      return { tools: page, nextCursor: String(cursor) };
    });

    expect(items).toHaveLength(mcpLimits.maxListItems);
    expect(problem).toMatch(/does not end after 20000 items/);
  });

  it("a page without items ends the list, keeps what came before and says which page it was", async () => {
    const pages = [{ tools: [1], nextCursor: "b" }, { tools: "none" }];

    const result = await listPages("tools", async ({ cursor }) => pages[cursor === undefined ? 0 : 1] ?? {});

    expect(result).toEqual({ items: [1], problem: 'page 2 of its list has no "tools" array' });
  });
});

describe("foreign text on one line", () => {
  it("control and format characters and line separators are gone and the length is bounded", () => {
    expect(oneLine("a\u001b[31m\nb\u2028c\u202ed  e")).toBe("a [31m b c d e");
    expect(oneLine("x".repeat(10), 10)).toBe("x".repeat(10));
    expect(oneLine("x".repeat(11), 10)).toBe(`${"x".repeat(9)}…`);
  });
});

describe("the environment of servers", () => {
  it("holds the harmless variables that exist and the configured ones, and no exported shell function", () => {
    const own = { PATH: "/bin", HOME: undefined, TERM: "() { evil; }", OPENAI_API_KEY: "secret" };

    expect(buildChildEnvironment({ TOKEN: "t" }, own)).toEqual({ PATH: "/bin", TOKEN: "t" });
    expect(buildChildEnvironment({ PATH: "/own" }, own)).toEqual({ PATH: "/own" });
  });
});

describe("schema problems", () => {
  it("references that resolve are fine, also escaped ones and recursive ones", () => {
    const schema = {
      $defs: { "a/b": { type: "object", properties: { next: { $ref: "#/$defs/a~1b" } } }, "c d": {} },
      properties: { x: { $ref: "#/$defs/a~1b" }, y: { $ref: "#/$defs/c%20d" }, z: { $ref: "#" } },
    };

    expect(findSchemaProblems(schema)).toEqual({ problems: [], endless: false });
  });

  it("values in enum, const, default and examples are no schemas", () => {
    const value = { $ref: "#/nowhere", pattern: "(" };

    expect(findSchemaProblems({ enum: [value], const: value, default: value, examples: [value] }).problems).toEqual([]);
  });

  it("a reference cannot reach a prototype and a broken escape does not throw", () => {
    expect(findSchemaProblems({ $ref: "#/__proto__" }).problems).toHaveLength(1);
    expect(findSchemaProblems({ $ref: "#/%E0%A4%A" }).problems).toHaveLength(1);
  });
});
