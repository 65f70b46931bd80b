import type { CodeModeTool, ToolSet } from "@code-mode/contract";
import { expect, it } from "vitest";
import { createCodeMode } from "../src/index.ts";

/** A tool set that changes when its tool `change` is called. */
function changing(before: readonly CodeModeTool[], after: readonly CodeModeTool[]): () => ToolSet {
  let current: ToolSet;
  const change: CodeModeTool = {
    name: "change",
    description: "Changes the tools.",
    execute: () => {
      current = { tools: [change, ...after] };
      return "changed";
    },
  };
  current = { tools: [change, ...before] };
  return () => current;
}

const greet = (description: string): CodeModeTool => ({ name: "greet", description, execute: () => description });

it("MCP-7 a program keeps its catalog while the tools change, and the next one sees the new one", async () => {
  await using codeMode = createCodeMode({ tools: changing([greet("Says hello.")], [greet("Says goodbye.")]) });
  const look = 'tools.search("greet").then(([first]) => first.description)';

  const first = await codeMode.exec({
    code: `await tools.change({});
      return [await ${look}, await tools.greet({}).catch(({ code, message }) => code + ": " + message)];`,
  });
  const next = await codeMode.exec({ code: `return [await ${look}, await tools.greet({})];` });

  expect(first).toMatchObject({
    value: ["Says hello.", expect.stringMatching(/^tool_error: greet changed its definition since this program began/)],
  });
  expect(next).toMatchObject({ value: ["Says goodbye.", "Says goodbye."] });
});

it("MCP-7 a tool that stayed as it was can be called throughout", async () => {
  await using codeMode = createCodeMode({ tools: changing([greet("Says hello.")], [greet("Says hello.")]) });

  const result = await codeMode.exec({ code: "await tools.change({}); return await tools.greet({});" });

  expect(result).toMatchObject({ value: "Says hello." });
});
