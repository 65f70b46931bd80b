import { createHybridEngine, createLexicalEngine, type SearchEngine } from "@code-mode/catalog";
import type { CodeModeTool } from "@code-mode/contract";
import { expect, it } from "vitest";
import { createCodeMode } from "../src/index.ts";

const tools: CodeModeTool[] = [
  { name: "book_appointment", description: "With a doctor.", execute: () => null },
  { name: "read", description: "Read a text file.", execute: () => null },
  {
    name: "forecast",
    description: "Will there be rain?",
    origin: { kind: "mcp", server: "weather" },
    execute: () => null,
  },
];

/** Words of one line mean the same. */
const concepts = [
  ["physician", "doctor"],
  ["umbrella", "rain"],
];
const embed = async (texts: readonly string[]) =>
  texts.map((text) => concepts.map((words) => words.filter((word) => text.includes(word)).length));

it("GUEST-3 tools.search, API.search and MCP.$search ask the engine of the host", async () => {
  await using codeMode = createCodeMode({ tools, search: createHybridEngine({ embed }) });
  const code = `const names = (rows) => rows.map(({ name }) => name);
    return [names(await tools.search("physician")), names(await API.search("umbrella")), names(await MCP.$search("umbrella"))]`;
  expect(await codeMode.exec({ code })).toMatchObject({
    status: "completed",
    value: [["book_appointment"], ["forecast"], ["forecast"]],
  });
});

it("WAIT-2 a search that takes longer than exec is delivered by wait", async () => {
  const gate = Promise.withResolvers<void>();
  const lexical = createLexicalEngine();
  const slow: SearchEngine = {
    open: (list) => {
      const ranker = lexical.open(list);
      return {
        rankNow: (query, limit) => ranker.rankNow(query, limit),
        rank: async (query, limit) => {
          await gate.promise;
          return ranker.rank(query, limit);
        },
      };
    },
  };
  await using codeMode = createCodeMode({ tools, search: slow, config: { timeoutMs: 500 } });
  const parked = await codeMode.exec({ code: 'return (await tools.search("text file"))[0].name' });
  expect(parked).toMatchObject({ status: "waiting" });
  gate.resolve();
  const runId = parked.status === "waiting" ? parked.runId : "";
  expect(await codeMode.wait({ runId })).toMatchObject({ status: "completed", value: "read" });
});

it("an engine that fails rejects the search, and the program goes on", async () => {
  const broken: SearchEngine = {
    open: () => ({
      rankNow: () => [],
      rank: () => Promise.reject(new Error("engine is gone")),
    }),
  };
  await using codeMode = createCodeMode({ tools, search: broken });
  const code = 'return [await tools.search("x y").catch((error) => error.message), ALL_TOOLS.length]';
  expect(await codeMode.exec({ code })).toMatchObject({ value: [expect.stringContaining("engine is gone"), 2] });
});
