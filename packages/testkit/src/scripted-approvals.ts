import type { ApprovalDecision, ApprovalPort, ApprovalRequest, ToolRequest } from "@code-mode/contract";

/** What the human of a test does with a question. */
export type ScriptedAnswer =
  | "approve"
  | "deny"
  | "expire"
  /** The port itself fails. */
  | "throw"
  /** Nobody ever answers. */
  | "hang"
  | { readonly approveAfter: Promise<unknown> };

/** The answer to the `index`-th question; undefined leaves it open for a later script. */
export type ApprovalScript = (request: ToolRequest, index: number) => ScriptedAnswer | undefined;

type Question = {
  readonly id: string;
  readonly index: number;
  readonly request: ToolRequest;
  readonly decision: PromiseWithResolvers<ApprovalDecision>;
};

/** The approval port with a human who follows a script. A grant is good for one call with exactly the asked input. */
export class ScriptedApprovals implements ApprovalPort {
  readonly #asked: ToolRequest[] = [];
  readonly #open = new Set<Question>();
  readonly #grants = new Map<string, string>();
  #script: ApprovalScript;

  constructor(script: ApprovalScript = () => undefined) {
    this.#script = script;
  }

  /** Every question so far. */
  get asked(): readonly ToolRequest[] {
    return this.#asked;
  }

  /** How many questions wait for an answer. */
  get open(): number {
    return this.#open.size;
  }

  /** From now on questions, open ones too, are answered by this script. */
  answerWith(script: ApprovalScript): void {
    this.#script = script;
    for (const question of [...this.#open]) this.#consider(question);
  }

  needs({ tool }: ToolRequest): boolean {
    return tool.approval === "always";
  }

  async request({ signal, onPending, ...request }: ApprovalRequest): Promise<ApprovalDecision> {
    const index = this.#asked.push(structuredCloneOf(request)) - 1;
    const question: Question = { id: `approval-${index}`, index, request, decision: Promise.withResolvers() };
    this.#open.add(question);
    onPending(question.id);
    signal.addEventListener("abort", () => this.#settle(question, "expire"), { once: true });
    this.#consider(question);
    return question.decision.promise;
  }

  confirm(request: ToolRequest, approvalId: string | undefined): boolean {
    const granted = approvalId === undefined ? undefined : this.#grants.get(approvalId);
    if (approvalId !== undefined) this.#grants.delete(approvalId);
    return granted !== undefined && granted === grantOf(request);
  }

  #consider(question: Question): void {
    const answer = this.#script(question.request, question.index);
    if (answer === undefined || answer === "hang") return;
    if (typeof answer === "string") this.#settle(question, answer);
    else void answer.approveAfter.then(() => this.#settle(question, "approve"));
  }

  #settle(question: Question, answer: "approve" | "deny" | "expire" | "throw"): void {
    if (!this.#open.delete(question)) return;
    const { decision, id } = question;
    if (answer === "throw") decision.reject(new Error("the approval desk is on fire"));
    else if (answer === "deny")
      decision.resolve({ approved: false, code: "approval_denied", reason: "denied by script" });
    else if (answer === "expire") decision.resolve({ approved: false, code: "approval_expired" });
    else {
      this.#grants.set(id, grantOf(question.request));
      decision.resolve({ approved: true, approvalId: id });
    }
  }
}

function grantOf({ call, input }: ToolRequest): string {
  return JSON.stringify([call.scope.sessionId, call.toolId, input]);
}

/** The input as it was when the question was put. */
function structuredCloneOf(request: ToolRequest): ToolRequest {
  return { ...request, input: structuredClone(request.input) };
}
