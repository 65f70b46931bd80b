import { expect, it } from "vitest";
import { type Answer, type AnyClient, clients, connectV2, openHttpFace } from "./http-face.ts";

const code = 'return await tools.send({ to: "ada" }).catch((error) => `${error.code}: ${error.message}`)';

/** Goes on with wait until the program has ended. */
async function run(client: AnyClient): Promise<{ answers: Answer[]; value: unknown }> {
  const answers = [await client.call("exec", { code })];
  for (;;) {
    const { status, runId, value } = (answers.at(-1) as Answer).structuredContent;
    if (status !== "waiting") return { answers, value };
    answers.push(await client.call("wait", { runId }));
  }
}

/** Those that hold a session; the 2026 era has no request from server to client. */
const sessionful = clients.filter(([name]) => name !== "v2 of 2026");

it.each(sessionful)(
  "MCPS-4 a %s client that offers elicitation is asked, and accepting lets the call run",
  async (_name, connect) => {
    await using face = await openHttpFace();
    const questions: string[] = [];
    const elicit = async (message: string): Promise<{ action: "accept" }> => {
      questions.push(message);
      return { action: "accept" };
    };
    await using client = await connect(face.url, { elicit });
    expect((await run(client)).value).toBe("sent to ada");
    expect(questions).toEqual([expect.stringMatching(/openclaw:gates:send with\n\{\n {2}"to": "ada"\n\}/)]);
  },
);

it.each(sessionful)(
  "MCPS-4 a program of a %s client parks while its user decides, and declining is a catchable error",
  async (_name, connect) => {
    await using face = await openHttpFace();
    const asked = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<{ action: "decline" }>();
    const elicit = (): Promise<{ action: "decline" }> => {
      asked.resolve();
      return decided.promise;
    };
    await using client = await connect(face.url, { elicit });
    const parked = (await client.call("exec", { code })).structuredContent;
    expect(parked).toMatchObject({
      status: "waiting",
      pendingToolCalls: [{ name: "send", status: "awaiting_approval", approvalId: expect.any(String) }],
    });
    await asked.promise;
    decided.resolve({ action: "decline" });
    const done = await client.call("wait", { runId: parked.runId });
    expect(done.structuredContent).toMatchObject({
      value: expect.stringMatching(/^approval_denied: .*the user declined.* It did not run/),
    });
  },
);

it("MCPS-4 a client that cannot be asked gets the refusal with the rule that would let the call run", async () => {
  await using face = await openHttpFace();
  for (const mode of ["legacy", "auto"] as const) {
    await using client = await connectV2(face.url, mode);
    expect((await run(client)).value).toMatch(/approval_denied: .*nobody can be asked here.*tools\.approval\.rules/);
  }
});
