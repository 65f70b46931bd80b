import type { SessionEvent } from "../store/transcript-store.ts";

/** A trajectory as JSON Lines, one event a line. */
export function toJsonLines(events: readonly SessionEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}
