import { approvalStates } from "../../policy/approval.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { colorsFor, printData, printNote } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { ApprovalsOptions } from "./add-approvals.ts";
import { ApprovalsClient, type ShownApproval } from "./approvals-client.ts";

/** Lists the approvals of everything that runs with a configuration (CLI-9). */
export async function listApprovalsCommand(options: ApprovalsOptions, signal: AbortSignal): Promise<number> {
  const { session, state = "pending" } = options;
  if (state !== "all" && !approvalStates.some((known) => known === state))
    throw new UsageError(
      `--state: found ${JSON.stringify(state)}, expected all or one of ${approvalStates.join(", ")}.`,
    );
  const client = new ApprovalsClient(configOf(options), options.url);
  const approvals = await client.list({ session, state: state === "all" ? undefined : state }, signal);
  if (options.json) await printData(JSON.stringify(approvals));
  else for (const approval of approvals) await printData(describe(approval));
  if (approvals.length === 0)
    printNote(state === "all" ? "no call needed an approval yet." : `no approval is ${state}.`);
  return exitCodes.success;
}

/** What to decide. */
export type Decide = { readonly id: string; readonly approved: boolean; readonly options: ApprovalsOptions };

/** Decides one approval (CLI-9). */
export async function decideApprovalCommand({ id, approved, options }: Decide, signal: AbortSignal): Promise<number> {
  const client = new ApprovalsClient(configOf(options), options.url);
  const approval = await client.decide(id, { approved, reason: options.reason, signal });
  await printData(options.json ? JSON.stringify(approval) : `${approval.state}: ${approval.toolId} (${approval.id})`);
  return exitCodes.success;
}

function describe(approval: ShownApproval): string {
  const colors = colorsFor(process.stdout);
  const { id, state, toolId, agentId, sessionId, cellId, expiresAt, text } = approval;
  const facts = `agent ${agentId}, session ${sessionId}, cell ${cellId}, until ${expiresAt}`;
  const input = text.replaceAll(/^/gm, "    ");
  return `${colors.bold(id)}  ${state}  ${toolId}\n  ${facts}\n${input}`;
}
