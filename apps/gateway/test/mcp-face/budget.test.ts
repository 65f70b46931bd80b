import { describe, expect, it } from "vitest";
import { clients, connectV2, type HttpFace, openHttpFace, resetGates } from "./http-face.ts";

/** A face whose calls may take 1500 ms. */
function openShort(codeMode: object = {}): Promise<HttpFace> {
  return openHttpFace({ tools: { codeMode: { timeoutMs: 1_500, ...codeMode } } });
}

describe("the budget of a call over MCP", () => {
  it.each(clients)("MCPS-3 host work that is pending at its end is waiting for a %s client", async (_name, connect) => {
    const gates = resetGates();
    await using face = await openShort();
    await using client = await connect(face.url);
    const parked = (await client.call("exec", { code: "return await tools.gate({})" })).structuredContent;
    expect(parked).toMatchObject({ status: "waiting", pendingToolCalls: [{ name: "gate", status: "running" }] });
    const still = (await client.call("wait", { runId: parked.runId })).structuredContent;
    expect(still).toMatchObject({ status: "waiting", runId: parked.runId });
    gates.open.resolve("done");
    expect((await client.call("wait", { runId: parked.runId })).structuredContent).toMatchObject({ value: "done" });
  });

  it.each(clients)("MCPS-3 a program of a %s client that still computes then is a timeout", async (_name, connect) => {
    await using face = await openShort();
    await using client = await connect(face.url);
    const { structuredContent, isError } = await client.call("exec", { code: "for (;;);" });
    expect(structuredContent).toMatchObject({
      status: "failed",
      code: "timeout",
      error: expect.stringMatching(/still computing after 1500 ms .*from the receipt of the call/),
    });
    expect(isError).toBe(true);
  });

  it("MCPS-3 a program that got no worker in time is a timeout that says that nothing ran", async () => {
    await using face = await openShort({ maxConcurrentCells: 1 });
    await using client = await connectV2(face.url, "legacy");
    const busy = Array.from({ length: 4 }, () => client.call("exec", { code: "for (;;);" }));
    const ends = (await Promise.all(busy)).map(({ structuredContent }) => structuredContent);
    expect(ends.map(({ code }) => code)).toEqual(Array(4).fill("timeout"));
    const notAdmitted = ends.filter(({ error }) =>
      /no worker was free within 1500 ms .*nothing .* ran/.test(String(error)),
    );
    expect(notAdmitted.length).toBeGreaterThanOrEqual(1);
    expect(notAdmitted[0]).toMatchObject({ telemetry: { calls: { completed: 0, failed: 0, pending: 0 } } });
  });
});
