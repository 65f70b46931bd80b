import type { ToolRequest } from "@code-mode/contract";
import { approvalText } from "../policy/approval-text.ts";

/** What the user of an MCP client reads before a call is allowed. */
export function approvalQuestion({ call, input }: ToolRequest, changed = false): string {
  return `A program wants to call ${call.toolId} with\n${approvalText(input)}\n${changed ? "The definition of this tool has changed since you approved it last.\n" : ""}Allow this one call?`;
}
