import { describe, expect, it } from "vitest";
import { connectMcpServers } from "../../src/index.ts";
import { call, connected, misbehaving, serverLog, toolNames } from "../support.ts";

describe("servers that do what they should not", () => {
  it("MCP-8 a second answer, and one to a call that nobody made, change nothing", async () => {
    const connections = await connected({ one: misbehaving() });

    const answers = [await call(connections, "one/twice"), await call(connections, "one/echo", { next: 1 })];

    expect(answers[0]?.content).toEqual([{ type: "text", text: "first" }]);
    expect(answers[1]?.structuredContent).toEqual({ input: { next: 1 } });
    expect(connections.states()).toMatchObject([{ state: "ready" }]);
  });

  it("MCP-8 what a server prints to stdout in the middle of a call does not harm the call", async () => {
    const connections = await connected({ one: misbehaving() });

    const result = await call(connections, "one/print");
    await call(connections, "one/print");

    expect(result.content).toEqual([{ type: "text", text: "printed" }]);
    expect(connections.states()[0]?.problems).toEqual([
      {
        problem: expect.stringMatching(/^it printed \d+ lines to stdout that are no JSON-RPC, first ".+"; .* stderr$/),
      },
    ]);
  });

  it("MCP-8 a tool that promises structured content and answers without is told of once, and again after a new list", async () => {
    const connections = await connected({ one: misbehaving("structured") });
    const told = { tool: "promise", problem: expect.stringContaining("without structuredContent") };

    expect(connections.states()[0]?.problems).toEqual([]);
    const results = [await call(connections, "one/promise"), await call(connections, "one/promise")];

    expect(results.map(({ content }) => content?.[0]?.text)).toEqual(["kept", "kept"]);
    expect(connections.states()[0]?.problems).toEqual([told]);
    await connections.restart("one");
    expect(connections.states()[0]?.problems).toEqual([]);
  });

  it("MCP-8 a reply of 50 MB arrives; one that is larger than a message may be ends the server, which comes back", async () => {
    const connections = await connected({ one: misbehaving() });

    const big = await call(connections, "one/huge", { megabytes: 50 });
    await expect(call(connections, "one/huge", { megabytes: 65 })).rejects.toMatchObject({ code: "mcp_error" });
    const after = await call(connections, "one/echo", { after: 1 });

    expect(String(big.content?.[0]?.text).length).toBe(50 * 1024 * 1024);
    expect(after.structuredContent).toEqual({ input: { after: 1 } });
  });

  it("MCP-4 resources of all pages, templates and prompts are read", async () => {
    const connections = await connected({ one: misbehaving("resources") });

    const results = [
      await call(connections, "one/resources.list"),
      await call(connections, "one/resources.templates"),
      await call(connections, "one/resources.read", { uri: "file:///2.txt" }),
      await call(connections, "one/prompts.list"),
      await call(connections, "one/prompts.get", { name: "greet", arguments: { who: "Ada" } }),
    ];

    expect(results).toMatchObject([
      { resources: [{ name: "1.txt" }, { name: "2.txt" }, { name: "3.txt" }] },
      { resourceTemplates: [{ uriTemplate: "file:///{name}" }] },
      { contents: [{ uri: "file:///2.txt", text: "text of file:///2.txt" }] },
      { prompts: [{ name: "greet" }] },
      { messages: [{ content: { text: "Greet Ada." } }] },
    ]);
  });

  it("MCP-7 links and embedded texts pass as they are", async () => {
    const connections = await connected({ one: misbehaving() });

    const result = await call(connections, "one/links");

    expect(result.content).toEqual([
      { type: "resource_link", uri: "file:///b.txt", name: "b.txt", mimeType: "text/plain" },
      { type: "resource", resource: { uri: "file:///c.txt", mimeType: "text/plain", text: "short" } },
    ]);
  });

  it("a paginated server that dies is listed whole again", async () => {
    const connections = await connected({ one: misbehaving("paginate") });
    const before = toolNames(connections, "one");

    await expect(call(connections, "one/die")).rejects.toThrow("exited with code 7 before it answered");
    await call(connections, "one/echo");

    expect(toolNames(connections, "one")).toEqual(before);
  });
});

describe("configurations that cannot be used", () => {
  it.each(["", " ", "__proto__"])("a server named %j is refused at once", (name) => {
    const servers = Object.fromEntries([[name, misbehaving()]]);
    expect(() => connectMcpServers(servers)).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringContaining(JSON.stringify(name)) }),
    );
  });

  it("an unknown key of an entry fails its server with the nearest key, and starts nothing", async () => {
    const entry = { ...misbehaving(), timeoutms: 5 } as never;
    const lines = serverLog();

    const connections = await connected({ typo: entry }, { onStderr: lines.write });

    expect(connections.states()).toMatchObject([
      { state: "failed", note: expect.stringContaining('unknown key "timeoutms". Did you mean timeoutMs?') },
    ]);
    expect(lines.all).toEqual([]);
  });
});
