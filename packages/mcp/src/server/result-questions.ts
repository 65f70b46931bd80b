import { randomBytes } from "node:crypto";
import type { CodeModeOutput, CodeModeResult, CodeModeWaitingResult, ModelTool } from "@code-mode/contract";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { FaceQuestion, FaceQuestions } from "./face-questions.ts";

/** What a client carries from the question to the answer, sealed. */
export type QuestionState = { readonly runId: string; readonly questions: readonly string[]; readonly round: number };

/** What a request really wants: itself, or to go on with a run whose questions it answers. */
export type AskedCall = {
  readonly tool: ModelTool;
  readonly input: unknown;
  readonly state: QuestionState | undefined;
};

/** Clients give up after ten rounds; before that the model gets the waiting result and can wait again. */
const maxRounds = 8;

/** Runs whose output is kept between two rounds; a client that never comes back leaves one behind. */
const maxCarried = 1_000;

/** Puts questions into results and takes the answers out of the calls that follow (MCPS-4, protocol of 2026). */
export class ResultQuestions {
  readonly #questions: FaceQuestions;
  readonly #codec: RequestStateCodec<QuestionState>;
  /** Output of rounds that a client saw only as a question, by client and run: nobody else may get it. */
  readonly #carried = new Map<string, readonly CodeModeOutput[]>();

  constructor(questions: FaceQuestions) {
    this.#questions = questions;
    this.#codec = createRequestStateCodec<QuestionState>({
      key: randomBytes(32),
      ttlSeconds: questions.ttlSeconds,
      bind: clientOf,
    });
  }

  /** For the SDK, which refuses a state that we did not make. */
  readonly verify = (state: string, context: ServerContext): Promise<QuestionState> =>
    this.#codec.verify(state, context);

  /** Hands the answers of a call to their questions; a call with answers goes on with `wait`. */
  begin(call: Omit<AskedCall, "state">, tools: readonly ModelTool[], context: ServerContext): AskedCall {
    const state = context.mcpReq.requestState<QuestionState>();
    const wait = tools.find(({ name, kind }) => name === "wait" && kind === "control");
    if (state === undefined || wait === undefined) return { ...call, state: undefined };
    for (const id of state.questions) {
      const response = inputResponse(context.mcpReq.inputResponses, id);
      if (response.kind === "elicit") this.#questions.answer(state.runId, id, response.action);
    }
    return { tool: wait, input: { runId: state.runId }, state };
  }

  /** True when the client would put a question of this call to its user. */
  canAsk(context: ServerContext): boolean {
    return fieldOf(context, CLIENT_CAPABILITIES_META_KEY).elicitation !== undefined;
  }

  /** The answer to a call: its result, or the questions that it waits for. */
  async end(
    call: AskedCall,
    result: CodeModeResult,
    context: ServerContext,
  ): Promise<CodeModeResult | InputRequiredResult> {
    const client = clientOf(context);
    const whole = this.#withCarried(call, result, client);
    if (whole.status !== "waiting" || !this.canAsk(context)) return whole;
    const round = (call.state?.round ?? 0) + 1;
    const questions = this.#questions.open(whole.runId);
    if (questions.length === 0 || round > maxRounds) return whole;
    this.#carry(whole, client);
    const state: QuestionState = { runId: whole.runId, questions: questions.map(({ id }) => id), round };
    return inputRequired({
      inputRequests: Object.fromEntries(questions.map((question) => [question.id, requestOf(question)])),
      requestState: await this.#codec.mint(state, context),
    });
  }

  #withCarried({ tool, input, state }: AskedCall, result: CodeModeResult, client: string): CodeModeResult {
    const runId = state?.runId ?? (tool.name === "wait" ? (input as { runId?: unknown } | null)?.runId : undefined);
    const key = JSON.stringify([client, runId]);
    const before = this.#carried.get(key);
    if (before === undefined) return result;
    this.#carried.delete(key);
    return { ...result, output: [...before, ...(result.output ?? [])] };
  }

  #carry({ runId, output }: CodeModeWaitingResult, client: string): void {
    if (output === undefined || output.length === 0) return;
    this.#carried.set(JSON.stringify([client, runId]), output);
    for (const oldest of this.#carried.keys()) {
      if (this.#carried.size <= maxCarried) break;
      this.#carried.delete(oldest);
    }
  }
}

function requestOf({ message }: FaceQuestion): ReturnType<typeof inputRequired.elicit> {
  return inputRequired.elicit({ mode: "form", message, requestedSchema: { type: "object", properties: {} } });
}

/** An answer counts only from the client that was asked. */
function clientOf(context: ServerContext): string {
  const { name, version } = fieldOf(context, CLIENT_INFO_META_KEY);
  return JSON.stringify([name ?? "", version ?? ""]);
}

function fieldOf({ mcpReq }: ServerContext, key: string): Readonly<Record<string, unknown>> {
  const value = (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[key];
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
