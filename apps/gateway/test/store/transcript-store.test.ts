import { CodeModeError } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import { openTranscriptStore } from "../../src/store/open-transcript-store.ts";
import type { SessionEvent, TranscriptStore } from "../../src/store/transcript-store.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

type Opened = AsyncDisposable & { readonly store: TranscriptStore };

const implementations: readonly { name: string; open(): Opened }[] = [
  {
    name: "in memory",
    open: () => {
      const store = createMemoryTranscriptStore();
      return { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    },
  },
  {
    name: "in SQLite",
    open: () => {
      const folder = new TemporaryFolder();
      const store = openTranscriptStore({ dataDir: folder.path });
      return {
        store,
        async [Symbol.asyncDispose]() {
          await store[Symbol.asyncDispose]();
          folder[Symbol.dispose]();
        },
      };
    },
  },
];

const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return CodeModeError.is(error) ? [error.code, error.message] : error;
  }
  return undefined;
};

describe.each(implementations)("transcripts $name", ({ open }) => {
  it("events count from 0 without gap in each session and are read once they are durable", async () => {
    await using opened = open();
    const { store } = opened;
    store.openSession("a", "main");
    store.openSession("b", "other");
    const first = store.append("a", { type: "text", text: "1" });
    store.append("b", { type: "text", text: "b" });
    const second = store.append("a", { type: "text", text: "é\u2028\ud83d\ude00" });
    expect(store.events("a")).toEqual([]);
    await store.flush();
    expect(store.events("a")).toEqual([first, second]);
    expect(store.events("a").map(({ seq, text }) => [seq, text])).toEqual([
      [0, "1"],
      [1, "é\u2028\ud83d\ude00"],
    ]);
    expect(store.events("b").map(({ seq }) => seq)).toEqual([0]);
    expect(store.events("none")).toEqual([]);
  });

  it("an event keeps the time it brings and gets none of the numbers it brings", async () => {
    await using opened = open();
    const { store } = opened;
    store.openSession("a", "main");
    const event = store.append("a", { type: "text", at: "2026-01-02T03:04:05.006Z", seq: 77 });
    await store.flush();
    expect(store.events("a")).toEqual([{ seq: 0, at: "2026-01-02T03:04:05.006Z", type: "text" }]);
    expect(event).toEqual(store.events("a")[0]);
  });

  it("a reader goes on after the last event it has seen, as many at a time as it likes", async () => {
    await using opened = open();
    const { store } = opened;
    store.openSession("a", "main");
    for (let n = 0; n < 10; n++) store.append("a", { type: "text", n });
    await store.flush();
    const seqs = (options: { after?: number; limit?: number }) => store.events("a", options).map(({ seq }) => seq);
    expect(seqs({ after: 7 })).toEqual([8, 9]);
    expect(seqs({ after: -1, limit: 2 })).toEqual([0, 1]);
    expect(seqs({ after: 3, limit: 2 })).toEqual([4, 5]);
    expect(seqs({ after: 9 })).toEqual([]);
  });

  it("sessions show their counts and come last changed first", async () => {
    await using opened = open();
    const { store } = opened;
    store.openSession("a", "main");
    store.openSession("b", "main");
    store.append("a", { type: "turn_started", at: "2026-01-01T00:00:01.000Z" });
    store.append("b", { type: "turn_started", at: "2026-01-01T00:00:02.000Z" });
    store.append("a", { type: "turn_started", at: "2026-01-01T00:00:03.000Z" });
    await store.flush();
    expect(store.sessions().map(({ id, turns, events }) => [id, turns, events])).toEqual([
      ["a", 2, 2],
      ["b", 1, 1],
    ]);
    expect(store.openSession("a", "another agent").agentId).toBe("main");
    expect(store.session("none")).toBeUndefined();
  });

  it("messages of the history come back verbatim with the run that made them", async () => {
    await using opened = open();
    const { store } = opened;
    store.openSession("a", "main");
    const messages = [
      { agentRunId: "r1", message: { role: "user" as const, content: "go ${x} \u0000" } },
      { agentRunId: "r2", message: { role: "assistant" as const, content: [{ type: "text" as const, text: "done" }] } },
    ];
    store.appendMessages("a", messages.slice(0, 1));
    store.appendMessages("a", messages.slice(1));
    await store.flush();
    expect(store.messages("a")).toEqual(messages);
    expect(store.messages("b")).toEqual([]);
  });

  it("listeners hear of events in order, after they are durable and not before", async () => {
    await using opened = open();
    const { store } = opened;
    const heard: unknown[] = [];
    store.openSession("a", "main");
    store.openSession("b", "main");
    const hear = (who: string) => (id: string, event: SessionEvent) =>
      heard.push([who, id, event.seq, store.events(id).length > event.seq]);
    const stop = store.subscribe("a", hear("of a"));
    store.subscribe(undefined, hear("of all"));
    store.subscribe("a", () => {
      throw new Error("a listener fails");
    });
    store.append("a", { type: "text" });
    store.append("b", { type: "text" });
    store.append("a", { type: "text" });
    expect(heard).toEqual([]);
    await store.flush();
    expect(heard).toEqual([
      ["of a", "a", 0, true],
      ["of all", "a", 0, true],
      ["of all", "b", 0, true],
      ["of a", "a", 1, true],
      ["of all", "a", 1, true],
    ]);
    stop();
    store.append("a", { type: "text" });
    await store.flush();
    expect(heard).toHaveLength(6);
  });

  it("what nobody flushes gets durable all the same", async () => {
    await using opened = open();
    const { store } = opened;
    const { promise, resolve } = Promise.withResolvers<SessionEvent>();
    store.subscribe(undefined, (_id, event) => resolve(event));
    store.openSession("a", "main");
    const event = store.append("a", { type: "text" });
    expect(await promise).toEqual(event);
    expect(store.events("a")).toEqual([event]);
  });

  it("a deleted session is gone with all it had, and its id begins anew", async () => {
    await using opened = open();
    const { store } = opened;
    store.openSession("a", "main");
    store.openSession("b", "main");
    store.append("a", { type: "turn_started" });
    store.appendMessages("a", [{ agentRunId: "r", message: { role: "user", content: "x" } }]);
    store.append("b", { type: "text" });
    expect(await store.deleteSession("a")).toBe(true);
    expect([await store.deleteSession("a"), store.session("a"), store.events("a"), store.messages("a")]).toEqual([
      false,
      undefined,
      [],
      [],
    ]);
    store.openSession("a", "second");
    expect(store.append("a", { type: "text" }).seq).toBe(0);
    await store.flush();
    expect(store.session("a")).toMatchObject({ agentId: "second", turns: 0, events: 1 });
    expect(store.events("b")).toHaveLength(1);
  });

  it("an event of a session that is not open is refused", async () => {
    await using opened = open();
    expect(refusal(() => opened.store.append("a", { type: "text" }))).toEqual([
      "internal_error",
      "session a is not open; openSession comes first.",
    ]);
  });

  it("what was queued is written when the store closes, and a closed store takes nothing", async () => {
    await using opened = open();
    const { store } = opened;
    store.openSession("a", "main");
    const heard: number[] = [];
    store.subscribe("a", (_id, { seq }) => heard.push(seq));
    store.append("a", { type: "text" });
    await store[Symbol.asyncDispose]();
    expect(heard).toEqual([0]);
    expect(refusal(() => store.append("a", { type: "text" }))).toEqual([
      "runtime_unavailable",
      "transcripts cannot be written: the store is closed.",
    ]);
    await store[Symbol.asyncDispose]();
  });
});
