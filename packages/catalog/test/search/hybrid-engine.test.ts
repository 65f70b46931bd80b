import type { CodeModeTool } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { buildCatalog, createHybridEngine, type EmbedTexts, type HybridEngineOptions } from "../../src/index.ts";
import { coreTool, mcpTool } from "../fixture-tools.ts";

/** What the test model understands: words of one line mean the same. */
const concepts = [
  ["automobile", "car", "vehicle", "hire"],
  ["physician", "doctor", "appointment"],
  ["umbrella", "rain", "forecast"],
];

/** A deterministic model that notes what it was asked. */
class TestModel {
  readonly batches: (readonly string[])[] = [];

  readonly embed: EmbedTexts = async (texts) => {
    this.batches.push(texts);
    return texts.map((text) =>
      concepts.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length),
    );
  };

  get texts(): readonly string[] {
    return this.batches.flat();
  }
}

const tools: CodeModeTool[] = [
  coreTool("hire_vehicle", { description: "Reserve one for some days." }),
  coreTool("book_appointment", { description: "With a doctor." }),
  mcpTool("weather", "forecast", { description: "Will there be rain?" }),
  coreTool("read", { description: "Read a text file about anything." }),
];

function catalogWith(options: HybridEngineOptions, list = tools) {
  return buildCatalog({ tools: list }, { search: createHybridEngine(options) });
}

describe("the search by words and meaning", () => {
  it("finds what no word tells", async () => {
    const { embed } = new TestModel();
    const catalog = catalogWith({ embed });
    const names = async (query: string) => (await catalog.searchApiSoon(query, 1)).map(({ name }) => name);
    expect(buildCatalog({ tools }).searchApi("physician", 1)).toEqual([]);
    expect(await names("physician")).toEqual(["book_appointment"]);
    expect(await names("automobile")).toEqual(["hire_vehicle"]);
    expect(await names("umbrella")).toEqual(["forecast"]);
    expect((await catalog.searchSoon("umbrella", 8)).map(({ name }) => name)).not.toContain("forecast");
  });

  it("joins both rankings: what stands in both comes before what stands in one", async () => {
    const { embed } = new TestModel();
    const list = [
      coreTool("a_manual", { description: "Read about a doctor, doctor, doctor." }),
      coreTool("physician", { description: "Find one nearby." }),
      coreTool("doctor_physician", { description: "A doctor." }),
      coreTool("forecast", { description: "Rain." }),
    ];
    const rows = await catalogWith({ embed }, list).searchSoon("a physician, please", 4);
    expect(rows.map(({ name }) => name)).toEqual(["physician", "doctor_physician", "a_manual"]);
  });

  it("puts an exact name first and lists tools in catalog order for a blank query, without asking the model", async () => {
    const model = new TestModel();
    const catalog = catalogWith({ embed: model.embed });
    expect((await catalog.searchApiSoon("", 2)).map(({ name }) => name)).toEqual(["book_appointment", "hire_vehicle"]);
    expect(model.batches).toEqual([]);
    expect((await catalog.searchApiSoon("MCP.weather.forecast", 3))[0]?.name).toBe("forecast");
  });

  it("asks for a definition once, also for another catalog with the same definition, and again when it changed", async () => {
    const model = new TestModel();
    const search = createHybridEngine({ embed: model.embed });
    await buildCatalog({ tools }, { search }).searchApiSoon("car", 3);
    expect(model.texts).toHaveLength(tools.length + 1);
    model.batches.length = 0;
    const [first, ...others] = tools.map((tool) => ({ ...tool })) as [CodeModeTool, ...CodeModeTool[]];
    const changed = [{ ...first, description: "Reserve a car." }, ...others];
    await Promise.all(
      ["car", "rain"].map((query) => buildCatalog({ tools: changed }, { search }).searchApiSoon(query, 3)),
    );
    expect(model.texts.filter((text) => text.includes("hire_vehicle"))).toEqual(["hire_vehicle\nReserve a car."]);
    expect(model.texts).toHaveLength(3);
  });

  it("sends at most 64 texts at once", async () => {
    const model = new TestModel();
    const many = Array.from({ length: 150 }, (_, index) => coreTool(`tool_${index}`, { description: `Car ${index}` }));
    await catalogWith({ embed: model.embed }, many).searchApiSoon("vehicle", 3);
    expect(model.batches.map((texts) => texts.length).sort((a, b) => a - b)).toEqual([1, 22, 64, 64]);
  });

  it.each<[string, EmbedTexts]>([
    ["fails", () => Promise.reject(new Error("no such model"))],
    [
      "throws",
      () => {
        throw new Error("no such model");
      },
    ],
    ["returns too few vectors", async () => [[1]]],
    ["returns no numbers", async (texts) => texts.map(() => ["x" as unknown as number])],
    [
      "returns vectors of different lengths",
      async (texts) => texts.map((_, index) => Array(texts.length + index).fill(1)),
    ],
  ])("searches by words alone when the model %s, and leaves it alone for a while", async (_, embed) => {
    const problems: unknown[] = [];
    let asked = 0;
    const counted: EmbedTexts = (texts) => {
      asked++;
      return embed(texts);
    };
    const catalog = catalogWith({ embed: counted, onProblem: (error) => problems.push(error) });
    expect((await catalog.searchSoon("text file", 1)).map(({ name }) => name)).toEqual(["read"]);
    const before = asked;
    expect(await catalog.searchSoon("physician", 1)).toEqual([]);
    expect([problems.length, asked]).toEqual([1, before]);
  });

  it("does not wait for a slow model, and has its vectors later", async () => {
    const model = new TestModel();
    const gate = Promise.withResolvers<void>();
    const embed: EmbedTexts = async (texts) => {
      await gate.promise;
      return model.embed(texts);
    };
    const search = createHybridEngine({ embed, patienceMs: 5 });
    const catalog = buildCatalog({ tools }, { search });
    expect(await catalog.searchSoon("physician", 1)).toEqual([]);
    gate.resolve();
    let found: readonly { name: string }[] = [];
    while (found.length === 0) found = await catalog.searchSoon("physician", 1);
    expect(found[0]?.name).toBe("book_appointment");
  });

  it("answers by words where there is no time to ask", () => {
    const model = new TestModel();
    const catalog = catalogWith({ embed: model.embed });
    expect(catalog.search("text file", 1).map(({ name }) => name)).toEqual(["read"]);
    expect(model.batches).toEqual([]);
  });
});
