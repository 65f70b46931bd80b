import { afterAll, beforeAll, expect, it } from "vitest";
import { type GatewayProcess, startGatewayProcess } from "../scenarios/gateway-process.ts";
import { CliFolder } from "./cli-process.ts";

type Told = { readonly sessionId: string; readonly seq: number; readonly type: string };

const points = Array.from({ length: 12 }, (_, index) => index + 1);
const folder = new CliFolder();

/** The gateway of the moment: each point kills it, and the next one on the folder is the next point's. */
let gateway: GatewayProcess;

const config = {
  workspace: "./work",
  models: {
    default: "work/x",
    providers: {
      work: { api: "scripted", script: "./work.json5" },
      after: { api: "scripted", script: "./after.json5" },
    },
  },
  agents: { after: { model: "after/x" } },
  tools: { codeMode: true },
};

beforeAll(async () => {
  folder.write("work/a.txt", "apples");
  const code = 'const found = await tools.read({ path: "a.txt" }); await yield_control(); return found.content';
  const steps = [
    { toolCalls: [{ name: "exec", input: { code } }] },
    { toolCalls: [{ name: "wait", input: { runId: "${results[-1].runId}" } }] },
    { text: "It says ${results[-1].value}" },
  ];
  folder.write("work.json5", { steps });
  folder.write("after.json5", { steps: Array.from({ length: 5 }, () => ({ text: "going on" })) });
  gateway = await startGatewayProcess(folder, config);
});

afterAll(async () => {
  await gateway.stop();
  folder[Symbol.dispose]();
});

/** Reads the gateway's events until so many of a session have come; then kills it. Gives what was told. */
async function killAfter(count: number, sessionId: string): Promise<readonly Told[]> {
  const headers = { authorization: `Bearer ${gateway.token}` };
  const stream = await fetch(`${gateway.url}/api/events`, { headers });
  const turn = gateway
    .post(`/api/sessions/${sessionId}/turns`, { message: "What does it say?" })
    .catch(() => undefined);
  const pieces = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream());
  let text = "";
  try {
    for await (const piece of pieces) {
      text += piece;
      if (toldIn(text).length >= count) gateway.running.kill("SIGKILL");
    }
  } catch {
    // the stream breaks with the process
  }
  await gateway.running.ended;
  await turn;
  return toldIn(text);
}

/** The events of the blocks that came whole. */
function toldIn(text: string): readonly Told[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => /^data: (.*)$/m.exec(block)?.slice(1) ?? [])
    .map((data) => JSON.parse(data) as Told);
}

it.each(points)(
  "GW-7 the built gateway killed after event %i of a turn keeps what it told, marks the turn and goes on",
  async (point) => {
    const sessionId = `killed-${point}`;
    const told = await killAfter(point, sessionId);
    expect(told.length).toBeGreaterThanOrEqual(point);
    gateway = await startGatewayProcess(folder, config);
    const kept = await gateway.trajectory(sessionId);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index));
    expect(kept.slice(0, told.length)).toEqual(told.map(({ sessionId: _sessionId, ...event }) => event));
    expect(["turn_ended", "turn_interrupted"]).toContain(kept.at(-1)?.type);
    if (kept.at(-1)?.type === "turn_interrupted")
      await gateway.running.stderrHas(`session ${sessionId}: its turn was interrupted`);
    const calls = kept.filter(({ type }) => type === "tool_call").map(({ toolCallId }) => toolCallId);
    expect(kept.filter(({ type }) => type === "tool_result").map(({ toolCallId }) => toolCallId)).toEqual(calls);
    const next = await gateway.post(`/api/sessions/${sessionId}/turns`, {
      message: "And now?",
      agent: "after",
    });
    expect(next).toMatchObject({ status: 200, body: { status: "completed" } });
    const exported = await folder.run(["trajectory", sessionId]);
    expect(exported.stdout.trim().split("\n")).toHaveLength((await gateway.trajectory(sessionId)).length);
  },
);
