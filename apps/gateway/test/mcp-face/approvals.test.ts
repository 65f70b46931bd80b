import { expect, it } from "vitest";
import { type Answer, type AnyClient, clients, connectV2, type Elicit, openHttpFace } from "./http-face.ts";

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

/** Those that hold a session: the others are asked in their result. */
const sessionful = clients.filter(([name]) => name !== "v2 of 2026");

it.each(clients)(
  "MCPS-4 a %s client that offers elicitation is asked, and accepting lets the call run",
  async (_name, connect) => {
    await using face = await openHttpFace();
    const questions: string[] = [];
    const elicit: Elicit = async (message) => {
      questions.push(message);
      return { action: "accept" };
    };
    await using client = await connect(face.url, { elicit });
    expect((await run(client)).value).toBe("sent to ada");
    expect(questions).toEqual([expect.stringMatching(/openclaw:gates:send with\n\{\n {2}"to": "ada"\n\}/)]);
  },
);

it.each(clients)("MCPS-4 what the user of a %s client declines is a catchable error", async (_name, connect) => {
  await using face = await openHttpFace();
  await using client = await connect(face.url, { elicit: async () => ({ action: "decline" }) });
  expect((await run(client)).value).toMatch(/^approval_denied: .*the user declined.* It did not run/);
});

it.each(sessionful)("MCPS-4 a program of a %s client parks while its user decides", async (_name, connect) => {
  await using face = await openHttpFace();
  const asked = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<{ action: "accept" }>();
  const elicit: Elicit = () => {
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
  decided.resolve({ action: "accept" });
  const done = await client.call("wait", { runId: parked.runId });
  expect(done.structuredContent).toMatchObject({ value: "sent to ada" });
});

it("MCPS-4 a client of 2026 is asked for each call in turn, within one exec", async () => {
  await using face = await openHttpFace();
  const questions: string[] = [];
  const elicit: Elicit = async (message) => {
    questions.push(/"to": "(\w+)"/.exec(message)?.[1] ?? message);
    return { action: "accept" };
  };
  await using client = await connectV2(face.url, "auto", { elicit });
  const answer = await client.call("exec", {
    code: `text("begun"); const both = await Promise.all([tools.send({ to: "ada" }), tools.send({ to: "bob" })]);
      return [...both, await tools.send({ to: "eve" })];`,
  });
  expect(answer.structuredContent).toMatchObject({
    status: "completed",
    value: ["sent to ada", "sent to bob", "sent to eve"],
    output: [{ type: "text", text: "begun" }],
  });
  expect(questions.sort()).toEqual(["ada", "bob", "eve"]);
  expect(face.host.approvals.list({ state: "pending" })).toEqual([]);
});

it("MCPS-4 an answer that comes after somebody else decided counts no more", async () => {
  await using face = await openHttpFace({}, { unattended: "park" });
  const elicit: Elicit = async () => {
    const [open] = face.host.approvals.list({ state: "pending" });
    face.host.approvals.decide(open?.id ?? "", { approved: false, by: "http", reason: "not today" });
    return { action: "accept" };
  };
  await using client = await connectV2(face.url, "auto", { elicit });
  expect((await run(client)).value).toMatch(/^approval_denied: .*not today/);
});

it.each(clients)(
  "MCPS-4 where a %s client offers no elicitation the cell parks, and the pending call says how to decide it",
  async (_name, connect) => {
    await using face = await openHttpFace({}, { unattended: "park" });
    await using client = await connect(face.url);
    const parked = (await client.call("exec", { code })).structuredContent;
    const [pending] = parked.pendingToolCalls as { approvalId: string; status: string; message: string }[];
    expect(parked.status).toBe("waiting");
    expect(pending?.status).toBe("awaiting_approval");
    expect(pending?.message).toContain(`codemode approvals approve ${pending?.approvalId}`);
    expect(await client.describe("wait")).toContain("codemode approvals approve <approvalId>");
    face.host.approvals.decide(pending?.approvalId ?? "", { approved: true, by: "cli" });
    const done = await client.call("wait", { runId: parked.runId });
    expect(done.structuredContent).toMatchObject({ status: "completed", value: "sent to ada" });
  },
);

it("MCPS-4 where nobody can ever decide the call is refused with the rule that would let it run", async () => {
  await using face = await openHttpFace();
  for (const mode of ["legacy", "auto"] as const) {
    await using client = await connectV2(face.url, mode);
    expect((await run(client)).value).toMatch(/approval_denied: .*nobody can be asked here.*tools\.approval\.rules/);
  }
});
