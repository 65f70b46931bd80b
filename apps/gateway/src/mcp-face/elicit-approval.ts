import type { ToolRequest } from "@code-mode/contract";
import { SdkError, SdkErrorCode, type Server } from "@modelcontextprotocol/server";
import type { ApprovalPerson } from "../policy/approval-desk.ts";

/** How questions reach the client of a server object. */
export type ElicitRoute = {
  /** Id of a request whose answer is still open: its stream carries the question. */
  openCall(): string | number | undefined;
  /** True while the client listens for messages that belong to no request. */
  isListening(): boolean;
  /** How long a person may take. */
  readonly timeoutMs: number;
};

/** A person can read this much; the rest of an input is counted. */
const maxInputLength = 2_000;

/** The person behind an MCP client, asked by elicitation where the client offers it (MCPS-4). */
export function elicitApproval(server: Server, route: ElicitRoute): ApprovalPerson {
  return {
    isThere: () =>
      server.getClientCapabilities()?.elicitation !== undefined &&
      (route.openCall() !== undefined || route.isListening()),
    async ask(request, { signal }) {
      const relatedRequestId = route.openCall();
      const related = relatedRequestId === undefined ? {} : { relatedRequestId };
      const params = {
        mode: "form" as const,
        message: questionOf(request),
        requestedSchema: { type: "object" as const, properties: {} },
      };
      try {
        // not `elicitInput`: older clients declare elicitation without saying that they mean forms
        const { action } = await server.request(
          { method: "elicitation/create", params },
          { signal, timeout: route.timeoutMs, ...related },
        );
        if (action === "accept") return { approved: true };
        const reason = action === "decline" ? "the user declined" : "the user dismissed the question";
        return { approved: false, code: "approval_denied", reason };
      } catch (error) {
        if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout && !signal.aborted)
          return { approved: false, code: "approval_expired" };
        throw error;
      }
    },
  };
}

function questionOf({ call, input }: ToolRequest): string {
  const text = JSON.stringify(input, undefined, 2);
  const shown =
    text.length <= maxInputLength
      ? text
      : `${text.slice(0, maxInputLength)}… +${text.length - maxInputLength} characters`;
  return `A program wants to call ${call.toolId} with\n${shown}\nAllow this one call?`;
}
