import { CodeModeError, messageOf, type RunScope } from "@code-mode/contract";
import type { Host } from "../compose.ts";
import { HttpError } from "../http/http-error.ts";
import type { Models } from "../provider/models.ts";
import type { OpenClientTools } from "./client-tools-port.ts";
import { runTurn } from "./run-turn.ts";
import type { RunningTurn } from "./running-turn.ts";
import { storeFailure } from "./store-failure.ts";
import type { TurnAnswer, TurnRequest } from "./turn.ts";
import type { TurnEvent } from "./turn-event.ts";
import type { TurnSession } from "./turn-session.ts";
import { UsageMeter } from "./usage-meter.ts";

/** Everything that one turn was given when it began. */
export type TurnWork = {
  readonly host: Host;
  readonly models: Models;
  /** Ends all turns. */
  readonly stop: AbortSignal;
  readonly scope: RunScope;
  readonly session: TurnSession;
  readonly request: TurnRequest;
  readonly clientTools: OpenClientTools | undefined;
  closeRules(): void;
};

type TurnEnd = Pick<TurnEvent & { type: "turn_ended" }, "status" | "text" | "code">;

const defaultMaxSteps = 32;

/**
 * Does the work of one turn: model requests, then the end of everything that belongs to its run (LIFE-3), then its
 * record, durable when this resolves.
 * @throws what made the turn fail
 */
export async function performTurn(turn: RunningTurn, work: TurnWork): Promise<TurnAnswer> {
  const { session, scope } = work;
  const { agentRunId } = scope;
  const usage = new UsageMeter();
  const startedAt = performance.now();
  const end = (facts: TurnEnd): void => {
    const durationMs = Math.round(performance.now() - startedAt);
    const { total } = usage;
    session.record({
      type: "turn_ended",
      agentRunId,
      ...facts,
      steps: total.requests,
      usage: { ...total },
      durationMs,
    });
  };
  try {
    const text = await loop(turn, work, usage).finally(() => endRun(work));
    end({ status: "completed", text });
    await session.flush();
    const { total } = usage;
    return { sessionId: session.id, agentRunId, status: "completed", text, steps: total.requests, usage: total };
  } catch (error) {
    const shown = storeFailure(error);
    await endFailed(shown, { end, session });
    throw shown;
  }
}

async function loop(turn: RunningTurn, work: TurnWork, usage: UsageMeter): Promise<string> {
  const { host, models, scope, session, request, clientTools } = work;
  const { agentRunId } = scope;
  const agent = Object.hasOwn(host.config.agents, scope.agentId) ? host.config.agents[scope.agentId] : undefined;
  if (session.messages.length === 0) session.addMessages(agentRunId, request.history ?? []);
  if (request.recovers === undefined) session.addMessages(agentRunId, [{ role: "user", content: request.message }]);
  const surface = await host.activate(scope);
  const model = await models.open(agent?.model, (body, format) => surface.assertBody(body, format));
  usage.setPrice(model.price);
  const instructions = [agent?.instructions, request.instructions].filter((text) => text !== undefined).join("\n\n");
  return runTurn({
    turn,
    scope,
    model,
    usage,
    tools: clientTools?.hold(surface.tools) ?? surface.tools,
    instructions: instructions === "" ? undefined : instructions,
    maxSteps: agent?.maxTurns ?? defaultMaxSteps,
    signal: AbortSignal.any([work.stop, turn.signal]),
    messages: () => session.messages,
    add: (message) => session.addMessages(agentRunId, [message]),
    emit: (event) => session.record(event),
    flush: () => session.flush(),
  });
}

/** Cells, rules and client tools of an agent run end with it. */
async function endRun({ host, scope, clientTools, closeRules }: TurnWork): Promise<void> {
  try {
    await host.codeMode?.endRun(scope);
  } finally {
    clientTools?.close();
    closeRules();
  }
}

/** The end of a failed turn is recorded too; where that fails, the first error is the one that counts. */
async function endFailed(
  error: unknown,
  { end, session }: { end(facts: TurnEnd): void; session: TurnSession },
): Promise<void> {
  const code = error instanceof HttpError || CodeModeError.is(error) ? error.code : "internal_error";
  try {
    end({ status: code === "aborted" ? "aborted" : "failed", text: messageOf(error), code });
    await session.flush();
  } catch {
    // the store has said so already, or says so to the next turn
  }
}
