import type { RunScope } from "@code-mode/contract";
import { HttpError } from "../http/http-error.ts";
import type { ClientToolsPort } from "../turns/client-tools-port.ts";
import type { ClientToolDefinition } from "../turns/turn.ts";
import { type ClientCall, ClientRun } from "./client-run.ts";
import { assertClientTools } from "./client-tool-definitions.ts";

/** Options of `ClientRuns`. */
export type ClientRunsOptions = {
  /** How long a client may take to answer a call; no longer than a suspended cell lives. */
  readonly answerTtlMs: number;
  /** Hears which calls a client has to answer now. */
  onCalls?(scope: RunScope, calls: readonly ClientCall[]): void;
};

/** The client tools of all agent runs that are under way (GW-2). */
export class ClientRuns implements ClientToolsPort {
  readonly #options: ClientRunsOptions;
  readonly #runs = new Map<string, ClientRun>();

  constructor(options: ClientRunsOptions) {
    this.#options = options;
  }

  /**
   * Opens the client's tools for one agent run.
   * @throws CodeModeError `invalid_input` naming the tool at fault
   */
  open(scope: RunScope, definitions: readonly ClientToolDefinition[]): ClientRun {
    assertClientTools(definitions, "clientTools");
    const run = new ClientRun({
      scope,
      definitions,
      answerTtlMs: this.#options.answerTtlMs,
      onClose: () => void this.#runs.delete(scope.agentRunId),
    });
    run.onBatch((calls) => this.#options.onCalls?.(scope, calls));
    this.#runs.set(scope.agentRunId, run);
    return run;
  }

  /** The client tools of an agent run. */
  of(agentRunId: string): ClientRun | undefined {
    return this.#runs.get(agentRunId);
  }

  /**
   * The run whose whole batch these calls are. Nothing is answered yet; the run stays parked when this throws.
   * @throws HttpError 400 for ids that are unknown, expired, answered already, of another agent, or only part of a batch
   */
  find(toolCallIds: readonly string[], { agentId }: { readonly agentId: string }): ClientRun {
    const runs = [...this.#runs.values()].filter(({ scope }) => scope.agentId === agentId);
    const known = runs.find((run) => run.batch.some(({ toolCallId }) => toolCallIds.includes(toolCallId)));
    if (known === undefined)
      throw new HttpError(
        400,
        "unknown_tool_call",
        "no call waits for these tool results: their ids are unknown, expired or already answered. Send the conversation again with a new user message.",
      );
    if (!known.isWholeBatch(toolCallIds))
      throw new HttpError(
        400,
        "partial_tool_results",
        `answer exactly the calls of the last reply, each once: ${known.batch.map(({ toolCallId }) => toolCallId).join(", ")}.`,
      );
    return known;
  }
}
