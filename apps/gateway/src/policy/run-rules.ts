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

/** Runs that have ended whose restrictions are still known; the least recently asked for goes first. */
const maxEndedRuns = 10_000;

/**
 * The rules of the agent runs that are under way, by agent run id. What a request took away stays away when its run has
 * ended: with `waitScope: "session"` a program outlives the run that started it, and must not gain tools by that.
 */
export class RunRules {
  readonly #rules = new Map<string, RunRule>();
  readonly #ended = new Map<string, RunRule>();

  /** Holds for every tool list and call of this run until the returned function is called. */
  open({ agentRunId }: Pick<RunScope, "agentRunId">, rule: RunRule): () => void {
    this.#rules.set(agentRunId, rule);
    return () => {
      if (this.#rules.get(agentRunId) !== rule) return;
      this.#rules.delete(agentRunId);
      const { request, disableTools } = rule;
      if (request !== undefined || disableTools === true) this.#keep(agentRunId, { request, disableTools });
    };
  }

  /** The rule of a run; nothing for runs that brought none. */
  of({ agentRunId }: Pick<RunScope, "agentRunId">): RunRule | undefined {
    const open = this.#rules.get(agentRunId);
    if (open !== undefined) return open;
    const ended = this.#ended.get(agentRunId);
    if (ended !== undefined) this.#keep(agentRunId, ended);
    return ended;
  }

  #keep(agentRunId: string, rule: RunRule): void {
    this.#ended.delete(agentRunId);
    this.#ended.set(agentRunId, rule);
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= maxEndedRuns) break;
      this.#ended.delete(oldest);
    }
  }
}
