import { describe, expect, it } from "vitest";
import { activate } from "../src/index.ts";
import { buildMcpTool, buildTool } from "./surface-bench.ts";

const computer = buildTool({ name: "computer", catalogMode: "direct-only" });
const read = buildTool({ name: "read" });
const shell = buildTool({ name: "exec" });
const searchControls = ["tool_search_code", "tool_search", "tool_describe", "tool_call"].map((name) =>
  buildTool({ name }),
);

describe("activation", () => {
  it("SUR-2 with code mode off the very same list is shown", () => {
    const toolSet = { tools: [read, computer, ...searchControls] };
    expect(activate({ enabled: false, toolSet })).toEqual({
      mode: "direct",
      payloadEnforced: false,
      tools: toolSet.tools,
    });
    expect((activate({ enabled: false, toolSet }) as { tools: unknown }).tools).toBe(toolSet.tools);
  });

  it("ACT-1 with code mode on direct-only tools stay and the tool set goes to the catalog as it is", () => {
    const toolSet = { tools: [read, computer, shell, buildMcpTool("github", "create_issue")], mcpServers: [] };
    const activation = activate({ enabled: true, toolSet });
    expect(activation).toMatchObject({ mode: "code", payloadEnforced: true, directTools: [computer] });
    expect((activation as { toolSet: unknown }).toolSet).toBe(toolSet);
  });

  it.each([{ disableTools: true }, { allowEmpty: true }])(
    "ACT-2 a run without tools on purpose activates nothing: %j",
    (reason) => {
      expect(activate({ enabled: true, toolSet: { tools: [read] }, ...reason })).toEqual({
        mode: "none",
        payloadEnforced: false,
        tools: [],
      });
      expect(activate({ enabled: false, toolSet: { tools: [read] }, ...reason })).toMatchObject({ mode: "none" });
    },
  );

  it("ACT-2 a list without any catalog-eligible tool shows no controls", () => {
    for (const tools of [[], [computer]]) {
      const activation = activate({ enabled: true, toolSet: { tools } });
      expect(activation).toEqual({ mode: "direct", payloadEnforced: false, tools });
    }
  });

  it("ACT-3 with code mode active Tool Search is neither visible nor catalogued", () => {
    const direct = buildTool({ name: "tool_call", catalogMode: "direct-only" });
    const activation = activate({
      enabled: true,
      toolSet: { tools: [...searchControls, direct, read], mcpServers: [{ name: "s", state: "ready" }] },
    });
    expect(activation).toEqual({
      mode: "code",
      payloadEnforced: true,
      toolSet: { tools: [read], mcpServers: [{ name: "s", state: "ready" }] },
      directTools: [],
    });
  });

  it("ACT-3 a server's own tool of such a name is an ordinary tool", () => {
    const own = buildMcpTool("catalogue", "tool_search");
    expect(activate({ enabled: true, toolSet: { tools: [own] } })).toMatchObject({
      mode: "code",
      toolSet: { tools: [own] },
    });
  });

  it.each([["exec"], ["wait"], ["computer", "computer"]])(
    "SUR-1 a direct-only tool that the model could not tell apart is an error: %s %s",
    (...names) => {
      const tools = [read, ...names.map((name) => buildTool({ name, catalogMode: "direct-only" }))];
      expect(() => activate({ enabled: true, toolSet: { tools } })).toThrow(names[0]);
      expect(activate({ enabled: false, toolSet: { tools } }).mode).toBe("direct");
    },
  );
});
