import { expect, it } from "vitest";
import { type CallDelta, ChatCalls } from "../../src/provider/chat-calls.ts";
import { EventLines } from "../../src/provider/event-lines.ts";

/** A generator of numbers below a bound, the same in every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function whole(deltas: readonly CallDelta[]): readonly unknown[] {
  const calls = new ChatCalls(["exec", "wait", "read"]);
  for (const delta of deltas) calls.add(delta);
  return calls.whole().map(({ id, function: { name, arguments: given } }) => [id, name, given]);
}

const call = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  given?: unknown,
): CallDelta => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  function: { ...(name === undefined ? {} : { name }), ...(given === undefined ? {} : { arguments: given }) },
});

it.each<[string, readonly CallDelta[], readonly unknown[]]>([
  [
    "index reused with a new id and name",
    [call(0, "a", "exec", "{}"), call(0, "b", "wait", "{}")],
    [
      ["a", "exec", "{}"],
      ["b", "wait", "{}"],
    ],
  ],
  [
    "index reused with another name and no id",
    [call(0, undefined, "exec", "{}"), call(0, undefined, "wait", "{}")],
    [
      [undefined, "exec", "{}"],
      [undefined, "wait", "{}"],
    ],
  ],
  [
    "an id that changes in a later part",
    [call(0, "a", "exec", '{"x'), call(0, "z", undefined, '":1}')],
    [["a", "exec", '{"x":1}']],
  ],
  [
    "one id for two indices",
    [call(0, "a", "exec", "{}"), call(1, "a", "exec", "{}")],
    [
      ["a", "exec", "{}"],
      ["a_2", "exec", "{}"],
    ],
  ],
  [
    "no index, the same id twice with whole arguments",
    [call(undefined, "a", "exec", '{"a":1}'), call(undefined, "a", "exec", '{"b":2}')],
    [
      ["a", "exec", '{"a":1}'],
      ["a_2", "exec", '{"b":2}'],
    ],
  ],
  [
    "the whole arguments sent once more at the end",
    [call(0, "a", "exec", '{"a":'), call(0, undefined, undefined, "1}"), call(0, "a", "exec", '{"a":1}')],
    [["a", "exec", '{"a":1}']],
  ],
  [
    "a name that comes after its arguments",
    [call(0, "a", undefined, "{"), call(0, undefined, "exec", "}")],
    [["a", "exec", "{}"]],
  ],
  ["a name that grows", [call(0, "a", "ex"), call(0, undefined, "exec", "{}")], [["a", "exec", "{}"]]],
  ["arguments as an object", [call(0, "a", "exec", { code: "x" })], [["a", "exec", '{"code":"x"}']]],
  ["no name at all", [call(0, "a", undefined, "{}")], [["a", "unnamed_tool", "{}"]]],
  ["blank names on later parts", [call(0, "a", "exec", "{"), call(0, "", " ", "}")], [["a", "exec", "{}"]]],
  [
    "a later part under a wrong index",
    [call(0, "a", "exec", "{"), call(3, undefined, undefined, "}")],
    [["a", "exec", "{}"]],
  ],
])("PRV-2 streamed calls stay whole: %s", (_title, deltas, expected) => {
  expect(whole(deltas)).toEqual(expected);
});

it("PRV-2 calls come out the same however their parts are cut and interleaved", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomOf(seed);
    const calls = Array.from({ length: 1 + random(4) }, (_, index) => ({
      id: `id${index}`,
      name: ["exec", "wait", "read"][random(3)] as string,
      text: JSON.stringify({ code: "x".repeat(random(9)), n: index }),
    }));
    const queues = calls.map(({ id, name, text }, index) => {
      const cuts = [
        0,
        ...Array.from({ length: random(4) }, () => random(text.length)).sort((a, b) => a - b),
        text.length,
      ];
      const parts = cuts.slice(1).map((end, at) => text.slice(cuts[at], end));
      // the first part opens the call; later ones carry the index alone, or repeat id and name
      const repeats = random(2) === 1;
      return parts.map((part, at) =>
        at === 0 || repeats ? call(index, id, name, part) : call(index, undefined, undefined, part),
      );
    });
    const deltas: CallDelta[] = queues.map((queue) => queue.shift() as CallDelta);
    while (queues.some((queue) => queue.length > 0)) {
      const queue = queues[random(queues.length)] as CallDelta[];
      const next = queue.shift();
      if (next !== undefined) deltas.push(next);
    }
    expect(whole(deltas), `seed ${seed}`).toEqual(calls.map(({ id, name, text }) => [id, name, text]));
  }
});

it("events come out the same however the text is cut, with every kind of line end", () => {
  const text = ": ping\r\n\r\ndata: a\ndata: b\n\nevent: x\rdata:c\r\r\ndata: 🦞\r\n\r\nid: 1\n\ndata: last";
  for (let seed = 1; seed <= 200; seed++) {
    const random = randomOf(seed);
    const lines = new EventLines();
    const seen: string[] = [];
    for (let at = 0; at < text.length; ) {
      const end = at + 1 + random(7);
      seen.push(...lines.add(text.slice(at, end)));
      at = end;
    }
    seen.push(...lines.end());
    expect(seen, `seed ${seed}`).toEqual(["a\nb", "c", "🦞", "last"]);
  }
});
