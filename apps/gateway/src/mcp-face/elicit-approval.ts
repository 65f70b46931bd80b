import type { ApprovalDecision } from "@code-mode/contract";
import type { FaceAnswer } from "@code-mode/mcp";
import { SdkError, SdkErrorCode, type Server } from "@modelcontextprotocol/server";
import type { ApprovalPerson } from "../policy/approval-desk.ts";
import { approvalQuestion } from "./approval-question.ts";

/** How questions reach the client of a server object. */
export type ElicitRoute = {
  /** Id of a request whose answer is still open: its stream carries the question. */
  openCall(): string | number | undefined;
  /** True while the client listens for messages that belong to no request. */
  isListening(): boolean;
  /** How long a person may take. */
  readonly timeoutMs: number;
};

/** The person behind an MCP client of 2025, asked by elicitation where the client offers it (MCPS-4). */
export function elicitApproval(server: Server, route: ElicitRoute): ApprovalPerson {
  return {
    isThere: () =>
      server.getClientCapabilities()?.elicitation !== undefined &&
      (route.openCall() !== undefined || route.isListening()),
    async ask(request, { signal, changed }) {
      const relatedRequestId = route.openCall();
      const related = relatedRequestId === undefined ? {} : { relatedRequestId };
      const params = {
        mode: "form" as const,
        message: approvalQuestion(request, changed),
        requestedSchema: { type: "object" as const, properties: {} },
      };
      try {
        // not `elicitInput`: older clients declare elicitation without saying that they mean forms
        const { action } = await server.request(
          { method: "elicitation/create", params },
          { signal, timeout: route.timeoutMs, ...related },
        );
        return decisionOf(action);
      } catch (error) {
        if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout && !signal.aborted)
          return { approved: false, code: "approval_expired" };
        throw error;
      }
    },
  };
}

/** Only a clear yes allows a call. */
export function decisionOf(answer: FaceAnswer): ApprovalDecision {
  if (answer === "accept") return { approved: true };
  const reason = answer === "decline" ? "the user declined" : "the user dismissed the question";
  return { approved: false, code: "approval_denied", reason };
}
