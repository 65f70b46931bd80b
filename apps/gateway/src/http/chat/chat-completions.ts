import type { ClientRuns } from "../../client-tools/client-runs.ts";
import type { RunningTurn } from "../../turns/running-turn.ts";
import type { TurnRunner } from "../../turns/turn-runner.ts";
import { HttpError } from "../http-error.ts";
import type { ChatEnd } from "./chat-format.ts";
import { type Conversant, ConversationSessions } from "./conversation-sessions.ts";
import type { ChatCompletionMessage, ChatCompletionRequest } from "./parse-chat-request.ts";
import { type Conversation, readConversation, toHistory } from "./read-conversation.ts";

/** One request that is being answered. */
export type OpenChat = {
  /** What the agent has said since this request began. */
  readonly text: string;
  /** The answer or the client's calls; rejects with what made the turn fail. */
  readonly end: Promise<ChatEnd>;
  /** Hears each piece of text from now on. */
  onText(listener: (delta: string) => void): void;
  /** The client went away: a turn that it cannot hear of any more is aborted. */
  abandon(): void;
};

/** What chat completions are made from. */
export type ChatCompletionsParts = {
  readonly turns: Pick<TurnRunner, "start" | "running">;
  readonly clientRuns: ClientRuns;
};

/** Lets OpenAI clients talk to agents: one request is one turn, or the next part of a turn that waits for the client. */
export class ChatCompletions {
  readonly #parts: ChatCompletionsParts;
  readonly #conversations = new ConversationSessions();

  constructor(parts: ChatCompletionsParts) {
    this.#parts = parts;
  }

  /**
   * Begins to answer a request.
   * @param sessionId the session that the client names, if it does
   * @throws HttpError as the turn runner does, and 400 for tool results that nothing waits for
   */
  begin(request: ChatCompletionRequest, sessionId: string | undefined): OpenChat {
    const conversation = readConversation(request.messages);
    return conversation.kind === "results"
      ? this.#goOn(request, conversation.answers)
      : this.#start(request, conversation, sessionId);
  }

  #start(
    request: ChatCompletionRequest,
    conversation: Conversation & { kind: "message" },
    sessionId: string | undefined,
  ): OpenChat {
    const { before, message, instructions } = conversation;
    const place =
      sessionId === undefined
        ? this.#conversations.take(before, whoOf(request))
        : { sessionId, giveBack: () => undefined };
    try {
      const turn = this.#parts.turns.start(place.sessionId, {
        agent: request.model,
        message,
        instructions,
        history: toHistory(before),
        sender: request.user ?? undefined,
        // a client that wants no calls gets the model alone (ACT-2)
        disableTools: request.tool_choice === "none",
        clientTools: request.tool_choice === "none" ? [] : (request.tools ?? []).map(toDefinition),
      });
      void turn.done.catch(() => place.giveBack());
      return this.#follow(turn, request);
    } catch (error) {
      place.giveBack();
      throw error;
    }
  }

  #goOn(request: ChatCompletionRequest, answers: (Conversation & { kind: "results" })["answers"]): OpenChat {
    const ids = answers.map(({ toolCallId }) => toolCallId);
    const run = this.#parts.clientRuns.find(ids, { agentId: request.model });
    const turn = this.#parts.turns.running(run.scope.sessionId);
    if (turn?.agentRunId !== run.scope.agentRunId)
      throw new HttpError(400, "unknown_tool_call", "the turn that made these calls has ended.");
    const chat = this.#follow(turn, request);
    run.answer(answers);
    return chat;
  }

  #follow(turn: RunningTurn, request: ChatCompletionRequest): OpenChat {
    const listeners: ((delta: string) => void)[] = [];
    let text = "";
    let ended = false;
    let reply = turn.replyFrom;
    const offText = turn.onText((delta) => {
      // what the agent says between its calls are paragraphs of one answer
      const piece = text !== "" && turn.replyFrom !== reply ? `\n\n${delta}` : delta;
      reply = turn.replyFrom;
      text += piece;
      for (const listener of listeners) listener(piece);
    });
    const { promise, resolve, reject } = Promise.withResolvers<ChatEnd>();
    const offBatch = this.#parts.clientRuns
      .of(turn.agentRunId)
      ?.onBatch((calls) => resolve({ calls, usage: undefined }));
    turn.done.then(({ usage }) => resolve({ calls: [], usage }), reject);
    const end = promise.finally(() => {
      ended = true;
      offText();
      offBatch?.();
    });
    // whoever abandons the request does not hear of its end
    end.then(
      ({ calls }) => {
        if (calls.length === 0) this.#remember(request, text, turn.sessionId);
      },
      () => undefined,
    );
    return {
      get text() {
        return text;
      },
      end,
      onText: (listener) => void listeners.push(listener),
      abandon: () => {
        if (!ended) turn.abort("the client closed the connection");
      },
    };
  }

  #remember(request: ChatCompletionRequest, text: string, sessionId: string): void {
    const answer: ChatCompletionMessage = { role: "assistant", content: text };
    this.#conversations.remember([...request.messages, answer], whoOf(request), sessionId);
  }
}

function whoOf(request: ChatCompletionRequest): Conversant {
  return { agentId: request.model, user: request.user ?? "" };
}

function toDefinition({ function: tool }: NonNullable<ChatCompletionRequest["tools"]>[number]) {
  return {
    name: tool.name,
    description: tool.description ?? undefined,
    parameters: (tool.parameters ?? undefined) as object | undefined,
  } as NonNullable<Parameters<TurnRunner["start"]>[1]["clientTools"]>[number];
}
