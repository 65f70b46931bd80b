import { createHash, randomUUID } from "node:crypto";
import type { ApprovalDecision, ApprovalPort, ApprovalRequest, ToolRequest } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";
import { matchesRule } from "./match-rule.ts";

/** Somebody who decides for a session. */
export type ApprovalPerson = {
  /** False while the person cannot be reached; then a call is refused at once instead of waiting for nobody. */
  isThere(): boolean;
  /** Asks; rejects when the question could not be put. `signal` takes it back. */
  ask(request: ToolRequest, options: { readonly signal: AbortSignal }): Promise<ApprovalDecision>;
};

/**
 * Approvals of a host. The first matching rule says whether a call needs one, then the tool's own declaration, then the
 * default. Who decides is the person that attends the session; where nobody does, the call is denied with the way out.
 */
export class ApprovalDesk implements ApprovalPort {
  readonly #config: NonNullable<GatewayConfig["tools"]["approval"]>;
  readonly #persons = new Map<string, ApprovalPerson>();
  readonly #grants = new Map<string, string>();

  constructor({ tools }: Pick<GatewayConfig, "tools">) {
    this.#config = tools.approval ?? {};
  }

  /** Lets a person decide for a session until the returned function is called. */
  attend(sessionId: string, person: ApprovalPerson): () => void {
    this.#persons.set(sessionId, person);
    return () => void this.#persons.delete(sessionId);
  }

  needs({ tool }: ToolRequest): boolean {
    const { rules = [], default: fallback = "never" } = this.#config;
    const rule = rules.find(({ match }) => matchesRule(tool, match));
    return (rule?.mode ?? tool.approval ?? fallback) === "always";
  }

  async request({ signal, onPending, ...request }: ApprovalRequest): Promise<ApprovalDecision> {
    const { call, tool } = request;
    const person = this.#persons.get(call.scope.sessionId);
    if (person?.isThere() !== true)
      return {
        approved: false,
        code: "approval_denied",
        reason: `${tool.name} needs an approval and nobody can be asked here; a rule in tools.approval.rules with mode "never" lets it run`,
      };
    const approvalId = randomUUID();
    // what is asked is what is granted, whatever becomes of the call while the person reads
    const asked = grantOf(request);
    onPending(approvalId);
    const decision = await person.ask(request, { signal });
    if (!decision.approved) return decision;
    this.#grants.set(approvalId, asked);
    signal.addEventListener("abort", () => this.#grants.delete(approvalId), { once: true });
    return { approved: true, approvalId };
  }

  /** A grant is good for one call of exactly what was asked (APR-2). */
  confirm(request: ToolRequest, approvalId: string | undefined): boolean {
    if (!this.needs(request)) return true;
    const granted = approvalId === undefined ? undefined : this.#grants.get(approvalId);
    if (approvalId !== undefined) this.#grants.delete(approvalId);
    return granted !== undefined && granted === grantOf(request);
  }
}

function grantOf({ call, tool, input }: ToolRequest): string {
  const { name, description, parameters, outputSchema } = tool;
  const facts = [call.scope.sessionId, call.toolId, { name, description, parameters, outputSchema }, input];
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}
