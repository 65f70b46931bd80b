import type { CodeModeTool } from "@code-mode/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCatalog, createLexicalEngine } from "../../src/index.ts";
import { maxEntriesPerSlice } from "../../src/search/sliced-task.ts";
import { coreTool, mcpTool } from "../fixture-tools.ts";
import { generatedTools } from "../generated-tools.ts";

const queries = ["list invoices", "create ticket owner", "export the payment report", "serch lables", "webhook_7"];

describe("the search by words", () => {
  it("indexes and names 2,000 tools in slices of at most 64 entries", async () => {
    const slices: number[] = [];
    const search = createLexicalEngine({ onSlice: (entries) => slices.push(entries) });
    const catalog = buildCatalog({ tools: generatedTools(2_000, 1) }, { search });
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);
    expect(await catalog.searchApiSoon("create invoice", 8)).toHaveLength(8);
    clearInterval(ticking);
    expect(Math.max(...slices)).toBeLessThanOrEqual(maxEntriesPerSlice);
    expect(slices.length).toBeGreaterThanOrEqual(2_000 / maxEntriesPerSlice);
    expect(turns).toBeGreaterThan(1);
  });

  it("indexes nothing before the first search, and nothing for a blank query", async () => {
    const indexed: number[] = [];
    const search = createLexicalEngine({ onIndex: (tools) => indexed.push(tools) });
    const catalog = buildCatalog({ tools: generatedTools(300, 1) }, { search });
    catalog.listApi();
    expect(await catalog.searchApiSoon(" ", 3)).toHaveLength(3);
    expect(indexed).toEqual([]);
    await catalog.searchApiSoon("invoice", 3);
    expect(indexed).toEqual([100, 100, 100]);
  });

  it("indexes again only the server that changed", async () => {
    const indexed: number[] = [];
    const search = createLexicalEngine({ onIndex: (tools) => indexed.push(tools) });
    const tools = generatedTools(300, 1);
    await buildCatalog({ tools }, { search }).searchApiSoon("invoice", 3);
    indexed.length = 0;
    const added = mcpTool("server-1", "find_unicorn", { description: "Find a unicorn." });
    const next = buildCatalog({ tools: [...tools, added, coreTool("read")] }, { search });
    expect((await next.searchApiSoon("unicorn", 1))[0]?.name).toBe("find_unicorn");
    expect(indexed.sort((a, b) => a - b)).toEqual([1, 101]);
  });

  it("shares the index of a server between catalogs without showing one the tools of the other", async () => {
    const search = createLexicalEngine();
    const tools = generatedTools(200, 1);
    const secret = coreTool("secret_plan", { description: "Unicorn." });
    const [one, other] = [buildCatalog({ tools: [...tools, secret] }, { search }), buildCatalog({ tools }, { search })];
    expect(await one.searchApiSoon("unicorn", 8)).toHaveLength(1);
    expect(await other.searchApiSoon("unicorn", 8)).toEqual([]);
  });

  it("gives the same answer at once, in slices, and with an index made of parts", async () => {
    const tools = generatedTools(400, 3);
    const search = createLexicalEngine();
    await buildCatalog({ tools: tools.slice(0, 250) }, { search }).searchApiSoon("invoice", 3);
    const [now, soon] = [buildCatalog({ tools }), buildCatalog({ tools }, { search })];
    for (const query of queries) {
      expect(await soon.searchApiSoon(query, 20)).toEqual(now.searchApi(query, 20));
      expect(await soon.searchSoon(query, 20)).toEqual(now.search(query, 20));
      expect(await soon.searchApiSoon(query, 20, "mcp")).toEqual(now.searchApi(query, 20, "mcp"));
    }
  });

  it("answers many first searches at once with one index", async () => {
    const indexed: number[] = [];
    const search = createLexicalEngine({ onIndex: (tools) => indexed.push(tools) });
    const catalog = buildCatalog({ tools: generatedTools(200, 1) }, { search });
    const answers = await Promise.all(Array.from({ length: 10 }, () => catalog.searchApiSoon("invoice", 3)));
    expect(new Set(answers.map((rows) => JSON.stringify(rows))).size).toBe(1);
    expect(indexed).toEqual([100, 100]);
  });

  it("ranks the same however the tools are listed", () => {
    const tools: CodeModeTool[] = generatedTools(120, 5);
    const catalog = buildCatalog({ tools });
    const expected = queries.map((query) => catalog.searchApi(query, 10));
    fc.assert(
      fc.property(fc.shuffledSubarray(tools, { minLength: tools.length }), (shuffled) => {
        const other = buildCatalog({ tools: shuffled });
        expect(queries.map((query) => other.searchApi(query, 10))).toEqual(expected);
      }),
      { seed: 20_261_201, numRuns: 25 },
    );
  });

  it("refuses a query that is no text when it can wait, too", async () => {
    const catalog = buildCatalog({ tools: [] });
    await expect(catalog.searchSoon(undefined as unknown as string, 8)).rejects.toMatchObject({ code: "tool_error" });
    await expect(catalog.searchApiSoon(7 as unknown as string, 8)).rejects.toMatchObject({ code: "tool_error" });
  });
});
