import type { ApprovalDecision, ApprovalRequest, ToolRequest } from "@code-mode/contract";
import type { Approval, ApprovalState } from "./approval.ts";
import { hashCall } from "./hash-call.ts";

/** How a request ended. */
export type ApprovalEnd = {
  readonly state: Exclude<ApprovalState, "pending">;
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
};

/** Options of `OpenApproval`. */
export type OpenApprovalOptions = {
  readonly id: string;
  readonly request: ApprovalRequest;
  readonly ttlMs: number;
  /** The definition is not the one that was approved last. */
  readonly changed: boolean;
  /** Told once, when the request has ended. */
  onEnd(open: OpenApproval): void;
};

/** One request from the question to its end; whatever ends it first wins. */
export class OpenApproval {
  /** What is asked is what is granted, whatever becomes of the call while a person reads. */
  readonly hash: string;
  readonly request: ToolRequest;
  readonly decision: Promise<ApprovalDecision>;
  /** Whether a person of the session has been asked. */
  asked = false;
  /** Aborts when the request has ended: then nobody need be asked any more. */
  readonly #over = new AbortController();
  readonly #settle: (decision: ApprovalDecision) => void;
  readonly #options: OpenApprovalOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = (): void => {
    this.end({ state: "closed", reason: "its call ended before anybody decided" });
  };
  #facts: Approval;

  constructor(options: OpenApprovalOptions) {
    const { signal, onPending: _, ...request } = options.request;
    this.#options = options;
    this.request = request;
    this.hash = hashCall(request);
    const { promise, resolve } = Promise.withResolvers<ApprovalDecision>();
    this.decision = promise;
    this.#settle = resolve;
    this.#facts = { ...describe(options.id, request, options.ttlMs), ...(options.changed ? { changed: true } : {}) };
    this.#timer = setTimeout(
      () => this.end({ state: "expired", reason: "nobody decided in time" }),
      Math.min(options.ttlMs, 0x7fff_ffff),
    );
    this.#timer.unref();
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  get facts(): Approval {
    return this.#facts;
  }

  /** Aborts when the request has ended. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Ends the request; false when it has ended before. */
  end({ state, by, reason }: ApprovalEnd): boolean {
    if (this.#facts.state !== "pending") return false;
    clearTimeout(this.#timer);
    this.#options.request.signal.removeEventListener("abort", this.#onAbort);
    this.#facts = {
      ...this.#facts,
      state,
      decidedAt: new Date().toISOString(),
      ...(by === undefined ? {} : { by }),
      ...(reason === undefined ? {} : { reason }),
    };
    this.#settle(decisionOf(this.#facts));
    this.#over.abort();
    this.#options.onEnd(this);
    return true;
  }
}

function describe(id: string, { call, tool, input }: ToolRequest, ttlMs: number): Approval {
  const { sender, channel, agentId, sessionId, sessionKey, agentRunId } = call.scope;
  const now = Date.now();
  return {
    id,
    state: "pending",
    ...{ sessionId, sessionKey, agentId, agentRunId },
    ...(sender === undefined ? {} : { sender }),
    ...(channel === undefined ? {} : { channel }),
    cellId: call.cellId,
    callId: call.callId,
    parentToolCallId: call.parentToolCallId,
    toolId: call.toolId,
    toolName: tool.name,
    input: structuredClone(input),
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + ttlMs).toISOString(),
  };
}

function decisionOf({ id, state, reason }: Approval): ApprovalDecision {
  if (state === "approved") return { approved: true, approvalId: id };
  const code = state === "expired" ? "approval_expired" : "approval_denied";
  return { approved: false, code, ...(reason === undefined ? {} : { reason }) };
}
