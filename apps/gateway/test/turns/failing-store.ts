import { CodeModeError } from "@code-mode/contract";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import type { TranscriptStore } from "../../src/store/transcript-store.ts";

/** A store whose disk gets full when the test says so. */
export type FailingStore = { readonly store: TranscriptStore; fail(): void };

/** Keeps transcripts in memory until `fail`, then is read-only as a store on a full disk is. */
export function createFailingStore(): FailingStore {
  const inner = createMemoryTranscriptStore();
  let full = false;
  const check = (): void => {
    if (full) throw new CodeModeError("runtime_unavailable", "the disk is full; free some space and restart.");
  };
  const store: TranscriptStore = {
    get readOnly() {
      return full ? "the disk is full" : undefined;
    },
    openSession: (id, agentId) => (check(), inner.openSession(id, agentId)),
    session: (id) => inner.session(id),
    sessions: () => inner.sessions(),
    append: (id, facts) => (check(), inner.append(id, facts)),
    appendMessages: (id, messages) => (check(), inner.appendMessages(id, messages)),
    flush: async () => (check(), inner.flush()),
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
