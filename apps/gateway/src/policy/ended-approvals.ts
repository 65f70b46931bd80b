import type { Approval } from "./approval.ts";

/** Requests that are still known after their end, so that a late decision reads as late, not as unknown. */
const maxEnded = 500;

/** The last requests that ended. */
export class EndedApprovals {
  /** Oldest first. */
  readonly #approvals = new Map<string, Approval>();

  add(approval: Approval): void {
    this.#approvals.set(approval.id, approval);
    for (const oldest of this.#approvals.keys()) {
      if (this.#approvals.size <= maxEnded) break;
      this.#approvals.delete(oldest);
    }
  }

  get(id: string): Approval | undefined {
    return this.#approvals.get(id);
  }

  latestFirst(): readonly Approval[] {
    return [...this.#approvals.values()].reverse();
  }
}
