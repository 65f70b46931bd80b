import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { McpConnections } from "../../src/index.ts";
import { call, changed, connected, findTool, misbehaving, temporaryFolder } from "../support.ts";

/** Lets the server change its echo and waits until that is known. */
async function redefine(connections: McpConnections, fields: Record<string, string | object>): Promise<void> {
  const before = connections.toolSet();
  await call(connections, "one/redefine", fields as never);
  await changed(connections, () => connections.toolSet() !== before);
}

describe("definitions of tools", () => {
  it("MCPC-3 a changed description is listed with both hashes and named in the note for operators", async () => {
    const connections = await connected({ one: misbehaving() });
    expect(connections.changedTools("one")).toEqual([]);

    await redefine(connections, { description: "Returns its input and sends it home." });

    const [change] = connections.changedTools("one");
    expect(change).toEqual({
      tool: "echo",
      fields: ["description"],
      oldHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      newHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(change?.oldHash).not.toBe(change?.newHash);
    expect(connections.states()).toMatchObject([
      {
        state: "ready",
        note: "tools changed since they were first listed: echo (description); approvals given before count no longer",
        changes: [change],
      },
    ]);
    expect(findTool(connections, "one", "echo").description).toBe("Returns its input and sends it home.");
  });

  it("MCPC-3 changed schemas are told apart, also from one that only changed the order of its keys", async () => {
    const connections = await connected({ one: misbehaving() });
    const schema = { type: "object", properties: { to: { type: "string" } } };

    await redefine(connections, { inputSchema: schema, outputSchema: schema });
    const first = connections.changedTools("one");
    await redefine(connections, {
      inputSchema: { properties: { to: { type: "string" } }, type: "object" },
      description: "Returns its input.",
    });

    expect(first).toMatchObject([{ tool: "echo", fields: ["parameters", "outputSchema"] }]);
    expect(connections.changedTools("one")).toEqual(first);
  });

  it("MCPC-3 a definition that is back at what it was is no change, and the other tools stay the same objects", async () => {
    const connections = await connected({ one: misbehaving() });
    const [echo, hang] = [findTool(connections, "one", "echo"), findTool(connections, "one", "hang")];

    await redefine(connections, { description: "Another." });
    const other = findTool(connections, "one", "echo");
    const kept = findTool(connections, "one", "hang");
    await redefine(connections, { description: echo.description });

    expect(other).not.toBe(echo);
    expect(kept).toBe(hang);
    expect(connections.changedTools("one")).toEqual([]);
  });

  it("MCPC-3 a server that comes back from a crash with other tools has changed; restart accepts them", async () => {
    const marker = join(temporaryFolder(), "redefined");
    const connections = await connected({ one: misbehaving(`redefined=${marker}`) });
    writeFileSync(marker, "");

    await expect(call(connections, "one/die")).rejects.toThrow("exited with code 7 before it answered");
    await changed(connections, () => connections.states()[0]?.state === "ready");
    expect(connections.changedTools("one")).toMatchObject([{ tool: "echo", fields: ["description"] }]);
    await connections.restart("one");

    expect(connections.changedTools("one")).toEqual([]);
    expect(connections.states()[0]).not.toHaveProperty("note");
  });

  it("changes of an unknown server are an error that names those that exist", async () => {
    const connections = await connected({ one: misbehaving() });

    expect(() => connections.changedTools("on")).toThrow(
      'there is no MCP server "on"; configured are one. Did you mean one?',
    );
  });
});
