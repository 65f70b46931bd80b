import { createHash } from "node:crypto";

/** One record of the scenario: an event or a message of one of four sessions. */
export type CrashRecord = {
  readonly index: number;
  readonly sessionId: string;
  readonly kind: "event" | "message";
  readonly text: string;
};

/** Records that are written and acknowledged together. */
export type CrashGroup = { readonly records: readonly CrashRecord[] };

const sessions = 4;

/** The same records in the same groups in every process: one to four a group, from a few bytes to several pages. */
export function buildScenario(count: number): readonly CrashGroup[] {
  const groups: CrashGroup[] = [];
  for (let index = 0; index < count; ) {
    const size = Math.min(1 + (draw(index, "group") % 4), count - index);
    groups.push({ records: Array.from({ length: size }, (_, offset) => recordAt(index + offset)) });
    index += size;
  }
  return groups;
}

function recordAt(index: number): CrashRecord {
  const large = draw(index, "large") % 16 === 0;
  const length = draw(index, "length") % (large ? 20_000 : 300);
  return {
    index,
    sessionId: `session-${draw(index, "session") % sessions}`,
    kind: draw(index, "kind") % 4 === 0 ? "message" : "event",
    text: `${index}:${"é".repeat(length)}`,
  };
}

/** A number that depends on nothing but its arguments. */
export function draw(index: number, what: string): number {
  return createHash("sha256").update(`${what} ${index}`).digest().readUInt32BE(0);
}
