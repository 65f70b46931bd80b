import { z } from "zod";
import type { ClientRun } from "../client-tools/client-run.ts";
import type { TurnRunner } from "../turns/turn-runner.ts";
import type { GatewayParts, Mount } from "./gateway-parts.ts";
import { HttpError } from "./http-error.ts";
import { settleTurn } from "./settle-turn.ts";

const resultsBody = z.strictObject({
  results: z.array(z.strictObject({ toolCallId: z.string(), output: z.json() })).min(1),
});

/**
 * The calls that a turn waits for its client with (GW-3 `clientTools`): `GET` lists them, `POST` answers all of them and
 * gives what `POST …/turns` gives in JSON, the end of the turn or the next calls.
 */
export const mountClientCallRoutes: Mount = (app, { turns, clientRuns }) => {
  if (clientRuns === undefined) return;
  app.get("/api/sessions/:id/client-calls", (context) =>
    context.json({ calls: runOf(context.req.param("id"), { turns, clientRuns })?.run.batch ?? [] }),
  );
  app.post("/api/sessions/:id/client-calls", async (context) => {
    const { results } = parseResults(await context.req.text());
    const found = runOf(context.req.param("id"), { turns, clientRuns });
    const ids = results.map(({ toolCallId }) => toolCallId);
    if (found === undefined || clientRuns.find(ids, found.run.scope) !== found.run)
      throw new HttpError(400, "unknown_tool_call", "no call of this session waits for its client.");
    const settled = settleTurn(found.turn, found.run);
    found.run.answer(results as Parameters<ClientRun["answer"]>[0]);
    return context.json(await settled);
  });
};

function runOf(
  sessionId: string,
  { turns, clientRuns }: Required<Pick<GatewayParts, "turns" | "clientRuns">>,
): { turn: NonNullable<ReturnType<TurnRunner["running"]>>; run: ClientRun } | undefined {
  const turn = turns.running(sessionId);
  const run = turn === undefined ? undefined : clientRuns?.of(turn.agentRunId);
  return turn === undefined || run === undefined ? undefined : { turn, run };
}

function parseResults(text: string): z.infer<typeof resultsBody> {
  try {
    const parsed = resultsBody.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // no JSON: the same answer helps
  }
  throw new HttpError(
    400,
    "invalid_input",
    'send {"results": [{"toolCallId": "…", "output": …}]} for every open call.',
  );
}
