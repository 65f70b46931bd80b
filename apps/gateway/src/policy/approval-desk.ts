import { randomBytes } from "node:crypto";
import {
  type ApprovalDecision,
  type ApprovalPort,
  type ApprovalRequest,
  type CodeModeTool,
  type JsonValue,
  messageOf,
  type RunScope,
  type ToolRequest,
} from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";
import {
  type Approval,
  type ApprovalEvent,
  type ApprovalListener,
  type ApprovalState,
  approvalFacts,
  type DecideOutcome,
  type DecisionInput,
  endEvent,
} from "./approval.ts";
import { EndedApprovals } from "./ended-approvals.ts";
import { hashCall, hashDefinition } from "./hash-call.ts";
import { matchesRule } from "./match-rule.ts";
import { OpenApproval } from "./open-approval.ts";

/** Somebody who decides for a session. */
export type ApprovalPerson = {
  /** False while the person cannot be reached; then the question waits for somebody else. */
  isThere(): boolean;
  /** Asks; rejects when the question could not be put. `signal` takes it back. */
  ask(
    request: ToolRequest,
    options: { readonly signal: AbortSignal; readonly changed?: boolean },
  ): Promise<ApprovalDecision>;
};

/** Options of `ApprovalDesk`; all have defaults. */
export type ApprovalDeskOptions = {
  /**
   * What becomes of a call that no person of its session can be asked about. `park`: it waits for a decision over HTTP or
   * the command line. `deny` (default): nobody can ever decide here, so it is refused at once with the way out.
   */
  readonly unattended?: "deny" | "park" | undefined;
  /** Longest a request stays open; no longer than a suspended program lives. Default 15 minutes. */
  readonly ttlMs?: number | undefined;
  /** The tool as it is defined now; a grant for an older definition is void. Default: the tool of the call. */
  resolveTool?(toolId: string, scope: RunScope): CodeModeTool | undefined;
  /** Removes secrets from the inputs of lists and events. Default: nothing is removed. */
  redact?(input: JsonValue): JsonValue;
  /** Hears that a listener failed; no decision may hang on it. */
  log?(message: string): void;
};

/** Which requests to list; without a filter all that are known. */
export type ApprovalFilter = {
  readonly sessionId?: string | undefined;
  readonly state?: ApprovalState | undefined;
};

/** Requests that one session may have open: a program in a loop must not bury those of others. */
const maxPendingPerSession = 64;

/** Definitions that are remembered as approved; of forgotten ones nobody is told that they changed. */
const maxRemembered = 10_000;

/**
 * Approvals of a host. The first matching rule says whether a call needs one, then the tool's own declaration, then the
 * default. Each call has its own request; whoever decides first (a person of the session, HTTP, the command line) decides.
 */
export class ApprovalDesk implements ApprovalPort {
  readonly #config: NonNullable<GatewayConfig["tools"]["approval"]>;
  readonly #options: ApprovalDeskOptions;
  readonly #persons = new Map<string, ApprovalPerson>();
  readonly #open = new Map<string, OpenApproval>();
  readonly #ended = new EndedApprovals();
  /** Grants that were given and not used yet, by approval id. */
  readonly #grants = new Map<string, string>();
  readonly #listeners = new Set<ApprovalListener>();
  /** Hash of the definition that was approved last, by session and tool. */
  readonly #approved = new Map<string, string>();

  constructor({ tools }: Pick<GatewayConfig, "tools">, options: ApprovalDeskOptions = {}) {
    this.#config = tools.approval ?? {};
    this.#options = options;
  }

  /** Lets a person decide for a session until the returned function is called. */
  attend(sessionId: string, person: ApprovalPerson): () => void {
    this.#persons.set(sessionId, person);
    this.remind(sessionId);
    return () => {
      if (this.#persons.get(sessionId) === person) this.#persons.delete(sessionId);
    };
  }

  /** The person of a session may be there now: asks what was not asked yet, because calls may begin while nobody listens. */
  remind(sessionId: string): void {
    for (const open of this.#open.values())
      if (open.facts.sessionId === sessionId && !open.asked) this.#askPerson(open);
  }

  /** Hears of requests, decisions and ends until the returned function is called. */
  onEvent(listener: ApprovalListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The requests, open ones first, then the latest; their inputs without secrets. */
  list({ sessionId, state }: ApprovalFilter = {}): readonly Approval[] {
    const open = [...this.#open.values()].map(({ facts }) => facts);
    return [...open, ...this.#ended.latestFirst()]
      .filter((approval) => sessionId === undefined || approval.sessionId === sessionId)
      .filter((approval) => state === undefined || approval.state === state)
      .map((approval) => ({ ...approval, input: this.#redacted(approval.input) }));
  }

  /** One request; while it is open with its real input, because somebody has to judge it. */
  get(id: string): Approval | undefined {
    return this.#open.get(id)?.facts ?? this.#ended.get(id);
  }

  /** Decides a request. Only the first decision counts. */
  decide(id: string, { approved, by, reason }: DecisionInput): DecideOutcome {
    const open = this.#open.get(id);
    if (open?.end({ state: approved ? "approved" : "denied", by, reason }) === true)
      return { type: "decided", approval: open.facts };
    const approval = this.#ended.get(id);
    return approval === undefined ? { type: "unknown" } : { type: "settled_before", approval };
  }

  /** Closes what is open in a session that has ended; its calls are refused (APR-2). */
  closeSession(sessionId: string): void {
    this.#persons.delete(sessionId);
    for (const open of [...this.#open.values()])
      if (open.facts.sessionId === sessionId) open.end({ state: "closed", reason: "the session ended" });
  }

  needs({ tool }: ToolRequest): boolean {
    const { rules = [], default: fallback = "never" } = this.#config;
    const rule = rules.find(({ match }) => matchesRule(tool, match));
    return (rule?.mode ?? tool.approval ?? fallback) === "always";
  }

  async request(request: ApprovalRequest): Promise<ApprovalDecision> {
    const { tool, call } = request;
    const { sessionId } = call.scope;
    if (this.#personOf(sessionId) === undefined && this.#options.unattended !== "park")
      return refusal(
        `${tool.name} needs an approval and nobody can be asked here; a rule in tools.approval.rules with mode "never" lets it run`,
      );
    if ([...this.#open.values()].filter(({ facts }) => facts.sessionId === sessionId).length >= maxPendingPerSession)
      return refusal(`${maxPendingPerSession} calls of this session wait for an approval; decide or await those first`);
    const open = this.#openRequest(request);
    this.#askPerson(open);
    return open.decision;
  }

  /** A grant is good for one call of exactly what was asked, as long as the tool is still the one that was shown (APR-2). */
  confirm(request: ToolRequest, approvalId: string | undefined): boolean {
    if (approvalId === undefined) return false;
    const granted = this.#grants.get(approvalId);
    this.#grants.delete(approvalId);
    const { resolveTool } = this.#options;
    const tool = resolveTool === undefined ? request.tool : resolveTool(request.call.toolId, request.call.scope);
    return granted !== undefined && tool !== undefined && granted === hashCall({ ...request, tool });
  }

  #openRequest(request: ApprovalRequest): OpenApproval {
    const id = `apr_${randomBytes(16).toString("hex")}`;
    const open = new OpenApproval({
      id,
      request,
      ttlMs: this.#options.ttlMs ?? 900_000,
      changed: this.#isChanged(request),
      onEnd: (ended) => this.#onEnd(ended, request.signal),
    });
    if (open.facts.state !== "pending") return open;
    this.#open.set(id, open);
    const { toolName, input, expiresAt } = open.facts;
    this.#emit({
      type: "approval_requested",
      ...approvalFacts(open.facts),
      ...{ toolName, input: this.#redacted(input), expiresAt },
    });
    request.onPending(id);
    return open;
  }

  #personOf(sessionId: string): ApprovalPerson | undefined {
    const person = this.#persons.get(sessionId);
    return person?.isThere() === true ? person : undefined;
  }

  #askPerson(open: OpenApproval): void {
    const person = this.#personOf(open.facts.sessionId);
    if (person === undefined || open.facts.state !== "pending") return;
    open.asked = true;
    void this.#ask(person, open);
  }

  /** A question that cannot be put, or is dropped, leaves the request to others; where there are none it is refused. */
  async #ask(person: ApprovalPerson, open: OpenApproval): Promise<void> {
    try {
      const decision = await person.ask(open.request, { signal: open.over, changed: open.facts.changed === true });
      if (decision.approved) open.end({ state: "approved", by: "elicitation" });
      else
        open.end({
          state: decision.code === "approval_expired" ? "expired" : "denied",
          by: "elicitation",
          reason: decision.reason,
        });
    } catch {
      open.asked = false;
      if (this.#options.unattended !== "park")
        open.end({ state: "denied", by: "elicitation", reason: "the question could not be put to the user" });
    }
  }

  #onEnd({ facts, hash, request }: OpenApproval, signal: AbortSignal): void {
    // a call that was aborted before its request was open has none
    if (!this.#open.delete(facts.id)) return;
    this.#ended.add({ ...facts, input: this.#redacted(facts.input) });
    if (facts.state === "approved") {
      this.#remember(request);
      this.#grants.set(facts.id, hash);
      signal.addEventListener("abort", () => this.#grants.delete(facts.id), { once: true });
    }
    this.#emit(endEvent(facts));
  }

  #isChanged(request: ToolRequest): boolean {
    const approved = this.#approved.get(approvedKey(request));
    return approved !== undefined && approved !== hashDefinition(request.tool);
  }

  #remember(request: ToolRequest): void {
    const key = approvedKey(request);
    this.#approved.delete(key);
    this.#approved.set(key, hashDefinition(request.tool));
    const oldest = this.#approved.keys().next().value;
    if (this.#approved.size > maxRemembered && oldest !== undefined) this.#approved.delete(oldest);
  }

  #emit(event: ApprovalEvent): void {
    for (const listener of [...this.#listeners])
      try {
        listener(event);
      } catch (error) {
        this.#options.log?.(`${event.type} of ${event.approvalId} could not be told: ${messageOf(error)}`);
      }
  }

  #redacted(input: JsonValue): JsonValue {
    return this.#options.redact === undefined ? input : this.#options.redact(input);
  }
}

function approvedKey({ call }: ToolRequest): string {
  return JSON.stringify([call.scope.sessionId, call.toolId]);
}

function refusal(reason: string): ApprovalDecision {
  return { approved: false, code: "approval_denied", reason };
}

/** How long a request may stay open beside programs that live this long: its rejection must still reach the program. */
export function approvalTtlMs(snapshotTtlSeconds: number): number {
  const ttlMs = snapshotTtlSeconds * 1000;
  return ttlMs - Math.min(10_000, ttlMs / 10);
}
