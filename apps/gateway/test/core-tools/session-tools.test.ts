import type { JsonValue, ToolSet } from "@code-mode/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../src/config/load-config.ts";
import { createCoreTools } from "../../src/core-tools/core-tools.ts";
import { ImageAgents } from "../../src/core-tools/image-agents.ts";
import type { UserMessage } from "../../src/core-tools/message-tool.ts";
import { explainTools } from "../../src/explain/explain-tools.ts";
import { openTools } from "../../src/open-tools.ts";
import { TemporaryFolder } from "../temporary-folder.ts";
import { toolContext } from "../tool-context.ts";
import { callCoreTool, coreTool } from "./call-core-tool.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

describe("the core tools", () => {
  it("CORE-1 are these, replay-safe exactly where they change nothing", () => {
    const tools = createCoreTools({ workspace: "." });
    expect(tools.map(({ name }) => name)).toEqual([
      "read",
      "write",
      "edit",
      "ls",
      "find",
      "grep",
      "exec",
      "web_fetch",
      "message",
      "session_status",
      "view_image",
    ]);
    const named = (test: (tool: (typeof tools)[number]) => boolean) => tools.filter(test).map(({ name }) => name);
    expect(named(({ replaySafe }) => replaySafe === true)).toEqual(["read", "ls", "find", "grep", "session_status"]);
    expect(named(({ approval }) => approval === "always")).toEqual(["exec"]);
    expect(named(({ catalogMode }) => catalogMode === "direct-only")).toEqual(["view_image"]);
  });

  it("CORE-1 return what their output schema declares, and take what their input schema declares", async () => {
    using folder = new TemporaryFolder();
    folder.write("a.txt", "x\ny\n");
    folder.write("i.png", png);
    const ajv = new Ajv2020({ strict: false });
    const inputs: Readonly<Record<string, JsonValue>> = {
      read: { path: "a.txt", limit: 1 },
      write: { path: "b/c.txt", content: "c" },
      edit: { path: "a.txt", oldText: "x", newText: "z" },
      ls: {},
      find: { pattern: "*.txt" },
      grep: { pattern: "y" },
      exec: { command: "true" },
      message: { text: "hello" },
      session_status: {},
      view_image: { path: "i.png" },
    };
    const tools = createCoreTools({
      workspace: folder.path,
      onMessage: () => true,
      sessionStatus: () => ({ turns: 2, events: 9 }),
    });
    for (const tool of tools.filter(({ name }) => name !== "web_fetch")) {
      const input = inputs[tool.name] as JsonValue;
      expect(ajv.validate(tool.parameters as object, input), tool.name).toBe(true);
      expect(ajv.validate(tool.parameters as object, { ...(input as object), unknown: 1 }), tool.name).toBe(false);
      const result = await tool.execute(input, toolContext());
      expect(ajv.validate(tool.outputSchema as object, result), tool.name).toBe(true);
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    }
  });
});

describe("message", () => {
  it("CORE-1 hands the text to the host with the session and call it belongs to", async () => {
    const messages: UserMessage[] = [];
    const options = { workspace: ".", onMessage: (message: UserMessage) => messages.push(message) > 0 };
    expect(await callCoreTool("message", { text: "half done" }, options)).toEqual({ delivered: true });
    expect(messages).toEqual([
      {
        scope: { agentId: "main", sessionId: "s", sessionKey: "s", agentRunId: "r" },
        toolCallId: "c",
        text: "half done",
      },
    ]);
  });

  it("says what to do where nobody reads messages", async () => {
    for (const options of [{ workspace: "." }, { workspace: ".", onMessage: () => false }])
      await expect(callCoreTool("message", { text: "x" }, options)).rejects.toThrow("Put the text into the answer");
  });
});

describe("session_status", () => {
  it("CORE-1 tells session, agent, turn and what the host counts", async () => {
    const asked: unknown[] = [];
    const sessionStatus = (scope: unknown) => {
      asked.push(scope);
      return { turns: 3, suspendedCells: 1 };
    };
    expect(await callCoreTool("session_status", {}, { workspace: ".", sessionStatus })).toEqual({
      sessionId: "s",
      agentId: "main",
      agentRunId: "r",
      counts: { turns: 3, suspendedCells: 1 },
    });
    expect(asked).toEqual([{ sessionId: "s", agentId: "main", agentRunId: "r" }]);
    expect(await callCoreTool("session_status", {}, { workspace: "." })).toMatchObject({ counts: {} });
  });
});

describe("view_image", () => {
  it("CORE-1 returns the file in base64 with the type that its content has", async () => {
    using folder = new TemporaryFolder();
    folder.write("wrong-name.jpg", png);
    expect(await callCoreTool("view_image", { path: "wrong-name.jpg" }, { workspace: folder.path })).toEqual({
      path: "wrong-name.jpg",
      mimeType: "image/png",
      bytes: png.length,
      content: [{ type: "image", data: png.toString("base64"), mimeType: "image/png" }],
    });
  });

  it.each([
    ["a.svg", Buffer.from("<svg/>"), "is no PNG"],
    ["big.png", Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]), "images may have 4194304"],
  ])("refuses %s and says what is allowed", async (name, content, reason) => {
    using folder = new TemporaryFolder();
    folder.write(name, content);
    await expect(callCoreTool("view_image", { path: name }, { workspace: folder.path })).rejects.toThrow(reason);
  });

  it("CORE-1 shows nothing outside the workspace", async () => {
    using folder = new TemporaryFolder();
    folder.write("i.png", png);
    folder.write("work/x", "");
    const options = { workspace: `${folder.path}/work` };
    await expect(callCoreTool("view_image", { path: "../i.png" }, options)).rejects.toThrow('contains ".."');
  });

  const config = {
    models: {
      default: "local/blind",
      providers: {
        local: {
          api: "openai-chat" as const,
          baseUrl: "http://127.0.0.1:1/v1",
          models: {
            seeing: { input: ["text" as const, "image" as const] },
            blind: { input: ["text" as const] },
            "org/seeing": { input: ["image" as const] },
          },
        },
      },
    },
    agents: {
      eyes: { model: "local/seeing" },
      nested: { model: "local/org/seeing" },
      unknown: { model: "local/constructor" },
    },
  };

  it("CORE-1 is offered only to agents whose model is configured with image input", async () => {
    await using tools = await openTools({ config: resolveConfig(config, { baseDir: "." }) });
    const scope = (agentId: string) => ({ agentId, sessionId: "s", agentRunId: "r" });
    const has = (agentId: string): boolean => tools.of(scope(agentId)).tools.some(({ name }) => name === "view_image");
    expect(["eyes", "nested", "unknown", "main", "__proto__"].map(has)).toEqual([true, true, false, false, false]);
    const id = "openclaw:core:view_image";
    for (const find of [tools.find, tools.resolve]) {
      expect(find(id, scope("eyes"))?.name).toBe("view_image");
      expect(find(id, scope("main"))).toBeUndefined();
    }
  });

  it("CORE-1 is explained as unavailable to agents whose model takes no images", () => {
    const known = createCoreTools({ workspace: "." });
    const explain = (agentId: string) =>
      explainTools({ config: resolveConfig(config, { baseDir: "." }), agentId, known, servers: [] }).at(-1);
    expect(explain("eyes")).toMatchObject({ name: "view_image", state: "direct-only" });
    expect(explain("main")).toMatchObject({ name: "view_image", state: "unavailable" });
    expect(explain("main")?.reason).toContain("takes no images");
  });

  it("gives the same tool set for the same tool set, so that catalogs are kept", () => {
    const images = new ImageAgents({ models: config.models, agents: config.agents });
    const toolSet: ToolSet = { tools: createCoreTools({ workspace: "." }) };
    expect(images.offered(toolSet, { agentId: "eyes" })).toBe(toolSet);
    expect(images.offered(toolSet, { agentId: "main" })).toBe(images.offered(toolSet, { agentId: "other" }));
    expect(coreTool("view_image", { workspace: "." }).catalogMode).toBe("direct-only");
  });
});
