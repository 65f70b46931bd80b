import { CodeModeError } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import {
  assertPayload,
  type PayloadFormat,
  payloadFormats,
  toAnthropicTools,
  toGeminiTools,
  toOpenAiChatTools,
  toOpenAiResponsesTools,
  type WireTool,
} from "../src/index.ts";

const inputSchema = { type: "object", properties: { code: { type: "string" } }, required: ["code"] };
const tool = (name: string, kind: "control" | "direct" = "control"): WireTool => ({
  name,
  description: `d ${name}`,
  inputSchema,
  kind,
});
const good = [tool("exec"), tool("wait"), tool("computer", "direct")];

const renderers: Record<PayloadFormat, (tools: readonly WireTool[]) => readonly object[]> = {
  "openai-chat": toOpenAiChatTools,
  "openai-responses": toOpenAiResponsesTools,
  anthropic: toAnthropicTools,
  gemini: toGeminiTools,
};

function refusal(format: PayloadFormat, body: unknown, names: string[] = ["computer"]): string {
  try {
    assertPayload(format, body, names);
  } catch (error) {
    if (CodeModeError.is(error)) return `${error.code}: ${error.message}`;
  }
  return "passed";
}

describe("renders", () => {
  it("SUR-4 each provider gets its own form", () => {
    expect(toOpenAiChatTools([tool("exec")])).toEqual([
      { type: "function", function: { name: "exec", description: "d exec", parameters: inputSchema } },
    ]);
    expect(toOpenAiResponsesTools([tool("exec")])).toEqual([
      { type: "function", name: "exec", description: "d exec", parameters: inputSchema, strict: false },
    ]);
    expect(toAnthropicTools([tool("exec")])).toEqual([
      { name: "exec", description: "d exec", input_schema: inputSchema },
    ]);
    expect(toGeminiTools([tool("exec"), tool("computer", "direct")])).toEqual([
      {
        functionDeclarations: [
          { name: "exec", description: "d exec", parameters: inputSchema },
          { name: "computer", description: "d computer", parametersJsonSchema: inputSchema },
        ],
      },
    ]);
    expect(toGeminiTools([])).toEqual([]);
  });
});

describe.each(payloadFormats)("payload of %s", (format) => {
  const render = renderers[format];

  it("SUR-3 exec, wait and retained direct-only tools pass, as an object and as text", () => {
    expect(refusal(format, { model: "m", tools: render(good) })).toBe("passed");
    expect(refusal(format, JSON.stringify({ tools: render(good) }))).toBe("passed");
    expect(refusal(format, { tools: render(good.slice(0, 2)) }, [])).toBe("passed");
    expect(refusal(format, { tools: render(good) }, ["exec", "wait", "computer"])).toBe("passed");
  });

  it("SUR-3 an unapproved tool is refused by name", () => {
    expect(refusal(format, { tools: render([...good, tool("read")]) })).toMatch(
      /^internal_error: .*"read" is not approved/,
    );
    expect(refusal(format, { tools: render(good) }, [])).toContain('"computer" is not approved');
  });

  it("SUR-3 a missing or repeated control or direct-only tool is refused", () => {
    expect(refusal(format, { tools: render(good.slice(1)) })).toContain("exec is missing");
    expect(refusal(format, { tools: render([tool("exec")]) })).toContain("wait is missing");
    expect(refusal(format, {})).toContain("exec is missing; wait is missing");
    expect(refusal(format, { tools: render([...good, tool("wait")]) })).toContain('"wait" appears 2 times');
    expect(refusal(format, { tools: render([...good, tool("computer")]) })).toContain('"computer" appears 2 times');
  });

  it.each([undefined, null, "", "{", "[]", 1, [], { tools: "exec wait" }, { tools: {} }, { tools: [null, 1] }])(
    "SUR-3 a body that cannot be understood is refused: %j",
    (body) => {
      expect(refusal(format, body)).toMatch(/^internal_error/);
    },
  );

  it("SUR-3 names of Object.prototype are unapproved names like any other", () => {
    expect(refusal(format, { tools: render([...good, tool("constructor")]) })).toContain(
      '"constructor" is not approved',
    );
  });
});

describe("provider-hosted entries", () => {
  const hosted: [PayloadFormat, unknown, string][] = [
    ["openai-chat", { type: "web_search" }, "web_search"],
    ["openai-chat", { type: "custom", custom: { name: "exec" } }, "custom"],
    ["openai-responses", { type: "code_interpreter", container: { type: "auto" } }, "code_interpreter"],
    ["openai-responses", { type: "mcp", server_label: "x" }, "mcp"],
    ["openai-responses", { type: "custom", name: "exec" }, "custom"],
    ["anthropic", { type: "web_search_20250305", name: "web_search" }, "web_search_20250305"],
    ["anthropic", { type: "computer_20250124", name: "computer" }, "computer_20250124"],
    ["gemini", { googleSearch: {} }, "googleSearch"],
    ["gemini", { codeExecution: {} }, "codeExecution"],
  ];

  it.each(hosted)("SUR-3 %s: %j counts as unapproved", (format, entry, name) => {
    const message = refusal(format, { tools: [...renderers[format](good), entry] });
    expect(message).toContain("internal_error");
    expect(message).toContain(`provider-hosted "${name}"`);
  });

  it.each([
    ["openai-chat", "functions", [{ name: "read" }]],
    ["openai-chat", "web_search_options", {}],
    ["anthropic", "mcp_servers", [{ url: "https://example.invalid" }]],
  ] as const)("SUR-3 %s: tools offered by the key %s are refused", (format, key, value) => {
    expect(refusal(format, { tools: renderers[format](good), [key]: value })).toContain(`"${key}"`);
  });

  it("SUR-3 Gemini functions in several entries and in snake case are counted together", () => {
    const split = good.map(({ name }) => ({ function_declarations: [{ name }] }));
    expect(refusal("gemini", { tools: split })).toBe("passed");
    expect(refusal("gemini", { tools: [...split, { function_declarations: [{ name: "read" }] }] })).toContain('"read"');
  });

  it("an unknown format is refused, and the error carries the offenders", () => {
    expect(refusal("soap" as PayloadFormat, { tools: [] })).toContain("cannot be inspected");
    let details: unknown;
    try {
      assertPayload("anthropic", { tools: [{ name: "read" }] }, []);
    } catch (error) {
      details = (error as CodeModeError).details;
    }
    expect(details).toEqual({
      format: "anthropic",
      offenders: ["exec is missing", "wait is missing", '"read" is not approved'],
    });
  });
});
