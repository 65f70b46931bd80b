import { CodeModeError, resolveCodeModeConfig } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { createModelTools } from "../src/index.ts";
import { buildTool, catalogOf, config, NotingCodeMode } from "./surface-bench.ts";

const catalog = catalogOf(buildTool({ name: "read" }));

describe("model tools", () => {
  it("SUR-1 there is exactly one exec, one wait, then the direct-only tools", () => {
    const directTools = [
      buildTool({ name: "computer", catalogMode: "direct-only" }),
      buildTool({ name: "view_image", catalogMode: "direct-only" }),
    ];
    const tools = createModelTools({
      codeMode: new NotingCodeMode(),
      catalog,
      config,
      directTools,
      callDirectTool: async () => null,
    });
    expect(tools.map(({ name, kind }) => [name, kind])).toEqual([
      ["exec", "control"],
      ["wait", "control"],
      ["computer", "direct"],
      ["view_image", "direct"],
    ]);
  });

  it("SUR-4 the input schemas are flat and advertise code, language, restartSafe and runId only", () => {
    const [exec, wait] = createModelTools({ codeMode: new NotingCodeMode(), catalog, config });
    expect(exec?.inputSchema).toMatchObject({
      type: "object",
      properties: {
        code: { type: "string" },
        language: { type: "string", enum: ["javascript", "typescript"] },
        restartSafe: { type: "boolean" },
      },
      required: ["code"],
    });
    expect(Object.keys(exec?.inputSchema.properties as object)).toEqual(["code", "language", "restartSafe"]);
    expect(wait?.inputSchema).toMatchObject({
      type: "object",
      properties: { runId: { type: "string" } },
      required: ["runId"],
    });
    expect(JSON.stringify([exec, wait])).not.toMatch(/oneOf|anyOf|allOf|\$ref/);
  });

  it("SUR-4 the language enum follows the configuration and is never empty", () => {
    const languageOf = (languages: ("javascript" | "typescript")[]) => {
      const [exec] = createModelTools({
        codeMode: new NotingCodeMode(),
        catalog,
        config: resolveCodeModeConfig({ languages }),
      });
      return (exec?.inputSchema.properties as { language?: object } | undefined)?.language;
    };
    expect(languageOf(["typescript"])).toMatchObject({ enum: ["typescript"] });
    expect(languageOf([])).not.toHaveProperty("enum");
  });

  it("the controls pass input and options on and answer with the result", async () => {
    const codeMode = new NotingCodeMode();
    const [exec, wait] = createModelTools({ codeMode, catalog, config });
    const options = { toolCallId: "t1" };
    expect(await exec?.call({ code: "1" }, options)).toBe(codeMode.result);
    expect(await wait?.call({ runId: "r" }, options)).toBe(codeMode.result);
    expect(codeMode.calls).toEqual([
      { tool: "exec", input: { code: "1" }, options },
      { tool: "wait", input: { runId: "r" }, options },
    ]);
  });

  it("a direct-only tool keeps its schema and runs through the given executor", async () => {
    const parameters = { type: "object", oneOf: [{ required: ["x"] }] };
    const tool = buildTool({ name: "computer", catalogMode: "direct-only", parameters });
    const calls: unknown[] = [];
    const direct = createModelTools({
      codeMode: new NotingCodeMode(),
      catalog,
      config,
      directTools: [tool],
      callDirectTool: async (...call) => {
        calls.push(call);
        return "image";
      },
    })[2];
    expect(direct?.inputSchema).toEqual(parameters);
    expect(await direct?.call({ x: 1 }, { toolCallId: "t" })).toBe("image");
    expect(calls).toEqual([[tool, { x: 1 }, { toolCallId: "t" }]]);
  });

  it.each([["exec"], ["wait"], ["computer", "computer"]])(
    "SUR-1 direct-only tools that the model could not tell apart are an error at start: %s %s",
    (...names) => {
      const directTools = names.map((name) => buildTool({ name, catalogMode: "direct-only" }));
      const create = () =>
        createModelTools({
          codeMode: new NotingCodeMode(),
          catalog,
          config,
          directTools,
          callDirectTool: async () => null,
        });
      expect(create).toThrow(CodeModeError);
      expect(create).toThrow(names[0]);
    },
  );

  it("direct-only tools without an executor are an error at start", () => {
    const directTools = [buildTool({ name: "computer", catalogMode: "direct-only" })];
    expect(() => createModelTools({ codeMode: new NotingCodeMode(), catalog, config, directTools })).toThrow(
      /callDirectTool/,
    );
  });

  it("SUR-6 two builds over equal tool sets are equal to the byte", () => {
    const build = () =>
      JSON.stringify(
        createModelTools({ codeMode: new NotingCodeMode(), catalog: catalogOf(buildTool({ name: "read" })), config }),
      );
    expect(build()).toBe(build());
  });

  it("nobody can change the list or a tool afterwards", () => {
    const tools = createModelTools({ codeMode: new NotingCodeMode(), catalog, config });
    expect(Object.isFrozen(tools) && tools.every(Object.isFrozen)).toBe(true);
  });
});
