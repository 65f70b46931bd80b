import type { CellObserver } from "@code-mode/contract";

/** Tells every cell event to all of these, in order; those that are not there are left out. */
export function allObservers(...observers: readonly (CellObserver | undefined)[]): CellObserver {
  const there = observers.filter((observer) => observer !== undefined);
  return {
    onCellEvent(event) {
      for (const observer of there) observer.onCellEvent(event);
    },
  };
}
