import type { ToolRequest } from "@code-mode/contract";
import { approvalText } from "../policy/approval-text.ts";

/** What the user of an MCP client reads before a call is allowed. */
export function approvalQuestion({ call, input }: ToolRequest): string {
  return `A program wants to call ${call.toolId} with\n${approvalText(input)}\nAllow this one call?`;
}
