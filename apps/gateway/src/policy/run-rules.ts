import type { CodeModeTool, RunScope } from "@code-mode/contract";
import type { PolicyLevel } from "./effective-tools.ts";

/** What one agent run brings with it beyond the configuration: it can only narrow, or add the tools of its client. */
export type RunRule = {
  /** Rules of this request (`tools` of a turn). */
  readonly request?: PolicyLevel | undefined;
  /** The run has no tools on purpose (ACT-2). */
  readonly disableTools?: boolean | undefined;
  /** Tools that the client of this run answers itself, `client:app:<name>` in the catalog (GW-2). */
  readonly clientTools?: readonly CodeModeTool[] | undefined;
};

/** The rules of the agent runs that are under way, by agent run id. */
export class RunRules {
  readonly #rules = new Map<string, RunRule>();

  /** Holds for every tool list and call of this run until the returned function is called. */
  open({ agentRunId }: Pick<RunScope, "agentRunId">, rule: RunRule): () => void {
    this.#rules.set(agentRunId, rule);
    return () => void this.#rules.delete(agentRunId);
  }

  /** The rule of a run; nothing for runs that brought none. */
  of({ agentRunId }: Pick<RunScope, "agentRunId">): RunRule | undefined {
    return this.#rules.get(agentRunId);
  }
}
