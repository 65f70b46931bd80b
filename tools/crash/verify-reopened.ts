import { openTranscriptStore } from "../../apps/gateway/src/store/open-transcript-store.ts";
import type { TranscriptStore } from "../../apps/gateway/src/store/transcript-store.ts";
import { CodeModeError } from "../../packages/contract/src/index.ts";
import { buildScenario, type CrashRecord } from "./scenario.ts";

/** What reopening a data folder found: the exact prefix of `kept` records, a refusal, or something that must not be. */
export type Reopened =
  | { readonly kind: "prefix"; readonly kept: number }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "torn"; readonly what: string };

/** Opens what a killed process left, compares it with the scenario, and writes one more record. */
export async function verifyReopened(dataDir: string, count: number): Promise<Reopened> {
  let store: TranscriptStore;
  try {
    store = openTranscriptStore({ dataDir });
  } catch (error) {
    if (!CodeModeError.is(error)) return { kind: "torn", what: String(error) };
    const clear = error.message.includes(dataDir);
    return clear ? { kind: "refused", message: error.message } : { kind: "torn", what: error.message };
  }
  try {
    return await compare(store, count);
  } catch (error) {
    return { kind: "torn", what: String(error) };
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

async function compare(store: TranscriptStore, count: number): Promise<Reopened> {
  const found = contents(store);
  const kept = found.length;
  const groups = buildScenario(count);
  const ends = new Set([0, ...groups.map(({ records }) => (records.at(-1)?.index ?? -1) + 1)]);
  if (!ends.has(kept)) return { kind: "torn", what: `${kept} records are part of a transaction` };
  const expected = groups.flatMap(({ records }) => records).slice(0, kept);
  const wrong = expected.findIndex((record, index) => !same(record, found[index]));
  if (wrong !== -1) return { kind: "torn", what: `record ${wrong} of ${kept} is not what was written` };
  store.openSession("after", "main");
  const { seq } = store.append("after", { type: "text" });
  await store.flush();
  return seq === 0 && store.events("after").length === 1
    ? { kind: "prefix", kept }
    : { kind: "torn", what: "the store does not go on after the crash" };
}

type Found = { readonly index: number; readonly sessionId: string; readonly kind: string; readonly text: string };

function contents(store: TranscriptStore): Found[] {
  return store
    .sessions()
    .flatMap(({ id }) => [...eventsOf(store, id), ...messagesOf(store, id)])
    .sort((a, b) => a.index - b.index);
}

function eventsOf(store: TranscriptStore, sessionId: string): Found[] {
  return store.events(sessionId).map(({ seq, index, text }, position) => {
    if (seq !== position) throw new Error(`session ${sessionId} has a gap before seq ${seq}`);
    return { index: Number(index), sessionId, kind: "event", text: String(text) };
  });
}

function messagesOf(store: TranscriptStore, sessionId: string): Found[] {
  return store.messages(sessionId).map(({ agentRunId, message }) => ({
    index: Number(agentRunId.slice("run-".length)),
    sessionId,
    kind: "message",
    text: String(message.content),
  }));
}

function same(record: CrashRecord, found: Found | undefined): boolean {
  return (
    found !== undefined &&
    found.index === record.index &&
    found.sessionId === record.sessionId &&
    found.kind === record.kind &&
    found.text === record.text
  );
}
