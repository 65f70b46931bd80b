import type { Cell } from "./cell.ts";

/** Why waiting ended: the guest can go on, the budget is over, only humans can help, the cell was aborted, or the grace is over. */
export type WorkEvent = "work" | "budget" | "approval" | "aborted" | "grace";

/** Options of `waitForWork`; with `graceMs` or `letGo` the wait may also end as `grace`. */
export type WaitOptions = {
  readonly cell: Cell;
  readonly budgetMs: number;
  readonly graceMs?: number;
  readonly letGo?: Promise<void>;
  /** Do not end because every call awaits approval (a wait call blocks on them). */
  readonly throughApprovals?: boolean;
};

type Without<G> = G extends { graceMs: number } ? WorkEvent : Exclude<WorkEvent, "grace">;

/** Blocks on events, never on polling, until an idle guest has something to do. */
export function waitForWork<O extends WaitOptions>(options: O): Promise<Without<O>> {
  const { cell, budgetMs, graceMs, letGo, throughApprovals } = options;
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = [];
    let open = true;
    const end = (event: WorkEvent): void => {
      if (!open) return;
      open = false;
      for (const timer of timers) clearTimeout(timer);
      cell.calls.onEvent(undefined);
      cell.signal.removeEventListener("abort", onAbort);
      resolve(event as Without<O>);
    };
    const look = (): void => {
      if (cell.signal.aborted) end("aborted");
      else if (cell.calls.hasReplies || cell.yielded) end("work");
      else if (throughApprovals !== true && cell.timerDueAt === undefined && cell.calls.allAwaitApproval)
        end("approval");
    };
    const onAbort = (): void => end("aborted");
    cell.signal.addEventListener("abort", onAbort);
    cell.calls.onEvent(look);
    timers.push(setTimeout(() => end("budget"), budgetMs));
    if (cell.timerDueAt !== undefined)
      timers.push(setTimeout(() => end("work"), Math.min(0x7fff_ffff, Math.max(0, cell.timerDueAt - Date.now()))));
    if (graceMs !== undefined) timers.push(setTimeout(() => end("grace"), graceMs));
    void letGo?.then(() => end("grace"));
    look();
  });
}
