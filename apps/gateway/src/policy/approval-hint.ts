import type { NestedUpdate, ToolExecutor } from "@code-mode/contract";

/** How a person decides a request, in one line that a model can pass on (MCPS-4). */
export function howToDecide(approvalId: string): string {
  return `waits for a person: codemode approvals approve ${approvalId} (or deny), or POST /api/approvals/${approvalId}`;
}

/** An executor whose pending calls say how they are decided. */
export function withApprovalHints(executor: ToolExecutor): ToolExecutor {
  return {
    execute(call, options) {
      let awaited = false;
      const onUpdate = (update: NestedUpdate): void => {
        if (update.type === "awaiting_approval" && update.approvalId !== undefined) {
          awaited = true;
          options.onUpdate({ message: howToDecide(update.approvalId), ...update });
        } else if (update.type === "started" && awaited) options.onUpdate({ message: "approved", ...update });
        else options.onUpdate(update);
      };
      return executor.execute(call, { ...options, onUpdate });
    },
  };
}
