import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished } from "vitest";
import { fileHolds, fixture, temporaryFolder } from "../support.ts";

type Action = "accept" | "decline" | "cancel";
type Options = { readonly mode?: "auto" | "legacy"; readonly elicit?: (message: string) => Action };
type Face = { readonly client: Client; readonly log: string; exec(code: string): Promise<Record<string, unknown>> };

/** A client of the face server; without `elicit` it says that its user cannot be asked. */
async function connect({ mode = "auto", elicit }: Options): Promise<Face> {
  const log = join(temporaryFolder(), "log");
  const capabilities = elicit === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode }, capabilities });
  if (elicit !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const action = elicit((params as { message: string }).message);
      return action === "accept" ? { action, content: {} } : { action };
    });
  const args = ["--conditions=@code-mode/source", fixture("face-server.ts"), log];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return {
    client,
    log,
    exec: async (code) =>
      (await client.callTool({ name: "exec", arguments: { code } })).structuredContent as Record<string, unknown>,
  };
}

const text = (value: string): object => ({ type: "text", text: value });

it("MCPS-4 a client of 2026 is asked in the result, all questions at once, and its call goes on with the answers", async () => {
  const heard: string[] = [];
  const face = await connect({
    elicit: (message) => {
      heard.push(message);
      return message === "May b?" ? "decline" : "accept";
    },
  });

  const result = await face.exec("ask a b");

  expect(heard).toEqual(["May a?", "May b?"]);
  expect(result).toMatchObject({ status: "completed", value: ["accept", "decline"] });
  expect(readFileSync(face.log, "utf8")).toContain("can ask true");
});

it("MCPS-4 what a program wrote before it asked is in the answer that its client gets in the end", async () => {
  const face = await connect({ elicit: () => "accept" });

  expect((await face.exec("ask a")).output).toEqual([text("before"), text("after")]);
});

it("MCPS-4 a client of 2026 that cannot ask gets the waiting result", async () => {
  const face = await connect({});

  expect(await face.exec("ask a")).toMatchObject({ status: "waiting", runId: "run_1", output: [text("before")] });
  expect(readFileSync(face.log, "utf8")).toContain("can ask false");
});

it("MCPS-4 answers count only with the sealed state of their question", async () => {
  const face = await connect({ elicit: () => "accept" });
  const input = { name: "exec", arguments: { code: "ask a" } };
  const asked = await face.client.request({ method: "tools/call", params: input }, {
    allowInputRequired: true,
  } as never);
  const { inputRequests, requestState } = asked as unknown as { inputRequests: object; requestState: string };
  expect(Object.keys(inputRequests)).toEqual(["a"]);
  const answers = { a: { action: "accept", content: {} } };
  const broken = `${requestState.slice(0, -4)}AAAA`;

  const forged = face.client.callTool({ ...input, inputResponses: answers, requestState: broken } as never);
  await expect(forged).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining("requestState") });
  const answered = await face.client.callTool({ ...input, inputResponses: answers, requestState } as never);

  expect(answered.structuredContent).toMatchObject({ status: "completed", value: ["accept"] });
});

it("MCPS-4 the server object of a 2025 client is handed out, so that its user can be asked, and taken back at the end", async () => {
  const face = await connect({ mode: "legacy", elicit: () => "accept" });

  expect(await face.exec("ask a")).toMatchObject({ status: "waiting" });
  await face.client.close();
  await fileHolds(face.log, "server is gone");

  expect(readFileSync(face.log, "utf8")).toMatch(/server of 2025\nclient \{"elicitation":\{"form":\{\}\}\}/);
});
