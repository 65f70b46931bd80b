import { CodeModeError } from "@code-mode/contract";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import type { TranscriptStore } from "../../src/store/transcript-store.ts";

/** A store whose disk gets full when the test says so. */
export type FailingStore = { readonly store: TranscriptStore; fail(): void };

/** Keeps transcripts in memory until `fail`, then is read-only as a store on a full disk is. */
export function createFailingStore(): FailingStore {
  const inner = createMemoryTranscriptStore();
  let full = false;
  const disk = (): TranscriptStore => {
    if (full) throw new CodeModeError("runtime_unavailable", "the disk is full; free some space and restart.");
    return inner;
  };
  const store: TranscriptStore = {
    get readOnly() {
      return full ? "the disk is full" : undefined;
    },
    openSession: (id, agentId) => disk().openSession(id, agentId),
    session: (id) => inner.session(id),
    sessions: () => inner.sessions(),
    append: (id, facts) => disk().append(id, facts),
    appendMessages: (id, messages) => disk().appendMessages(id, messages),
    flush: async () => disk().flush(),
    events: (id, options) => inner.events(id, options),
    messages: (id) => inner.messages(id),
    deleteSession: (id) => inner.deleteSession(id),
    subscribe: (id, listener) => inner.subscribe(id, listener),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
  return {
    store,
    fail() {
      full = true;
    },
  };
}
