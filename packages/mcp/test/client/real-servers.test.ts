import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, connected, findTool, npmServer, temporaryFolder, toolNames } from "../support.ts";

describe("real servers from npm over stdio", () => {
  it("MCPC-1 servers become ready beside each other and their tools carry server and schemas", async () => {
    const folder = temporaryFolder();
    const connections = await connected({
      files: npmServer("server-filesystem", folder),
      demo: npmServer("server-everything"),
    });

    expect(connections.toolSet().mcpServers).toEqual([
      { name: "demo", state: "ready" },
      { name: "files", state: "ready" },
    ]);
    const read = findTool(connections, "files", "read_text_file");
    expect(read.origin).toEqual({ kind: "mcp", server: "files", member: "tool" });
    expect(read.parameters).toMatchObject({ type: "object", required: ["path"] });
    expect(read.outputSchema).toMatchObject({ type: "object" });
    expect(findTool(connections, "demo", "get-sum").description).not.toBe("");
  });

  it("MCP-2 a result is the native object, with structured content and without its _meta", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.txt"), "hello");
    const connections = await connected({ files: npmServer("server-filesystem", folder) });

    const result = await call(connections, "files/read_text_file", { path: join(folder, "a.txt") });

    expect(result).toEqual({ content: [{ type: "text", text: "hello" }], structuredContent: { content: "hello" } });
  });

  it("MCP-2 a failing tool resolves with isError", async () => {
    const connections = await connected({ files: npmServer("server-filesystem", temporaryFolder()) });

    const result = await call(connections, "files/read_text_file", { path: "/nowhere/at/all" });

    expect(result.isError).toBe(true);
    expect(result.content?.[0]).toMatchObject({ type: "text" });
  });

  it("MCP-4 resources and prompts are members of servers that offer them, and only of those", async () => {
    const connections = await connected({
      demo: npmServer("server-everything"),
      files: npmServer("server-filesystem", temporaryFolder()),
    });

    const listed = await call(connections, "demo/resources.list");
    const uri = (listed.resources as { uri: string }[])[0]?.uri ?? "";
    const read = await call(connections, "demo/resources.read", { uri });
    const templates = await call(connections, "demo/resources.templates");
    const prompts = await call(connections, "demo/prompts.list");
    const prompt = await call(connections, "demo/prompts.get", { name: "args-prompt", arguments: { city: "Ulm" } });

    expect(read.contents).toMatchObject([{ uri }]);
    expect(templates.resourceTemplates).not.toEqual([]);
    expect((prompts.prompts as { name: string }[]).map(({ name }) => name)).toContain("args-prompt");
    expect(JSON.stringify(prompt.messages)).toContain("Ulm");
    expect(findTool(connections, "demo", "prompts.get").origin).toMatchObject({ member: "prompts.get" });
    expect(toolNames(connections, "files").filter((name) => name.includes("."))).toEqual([]);
  });

  it("MCP-7 the data of an image stays on the host and its handle finds it", async () => {
    const connections = await connected({ demo: npmServer("server-everything") });

    const result = await call(connections, "demo/get-tiny-image");

    const image = result.content?.find((item) => item.type === "image") ?? {};
    const kept = connections.media(String(image.handle));
    expect(image).toMatchObject({ type: "image", mimeType: "image/png", bytes: kept?.data.length });
    expect(image.placeholder).toContain(String(image.handle));
    expect(Buffer.from(kept?.data.subarray(1, 4) ?? "").toString()).toBe("PNG");
    expect(JSON.stringify(result)).not.toContain(Buffer.from(kept?.data.subarray(0, 30) ?? "").toString("base64"));
  });

  it("MCP-8 progress of a long operation is passed on as text", async () => {
    const connections = await connected({ demo: npmServer("server-everything") });
    const updates: unknown[] = [];

    await call(
      connections,
      "demo/trigger-long-running-operation",
      { duration: 0.2, steps: 2 },
      { onUpdate: (partial) => updates.push(partial) },
    );

    expect(updates).toEqual(["1 of 2", "2 of 2"]);
  });

  it("MCP-8 a question of a server to the user is answered through the host", async () => {
    const questions: string[] = [];
    const connections = await connected(
      { demo: npmServer("server-everything") },
      {
        elicit: async ({ server, message }) => {
          questions.push(`${server}: ${message}`);
          return { action: "decline" };
        },
      },
    );

    const result = await call(connections, "demo/trigger-elicitation-request");

    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatch(/^demo: /);
    expect(JSON.stringify(result)).toContain("decline");
  });
});
