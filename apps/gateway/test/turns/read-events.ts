/** One server-sent event as a client sees it; `at` is the client's Last-Event-ID after it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
export type ClientEvent = { readonly name: string; readonly data: any; readonly id: string };

/** Reads an event stream as browsers do: comments are skipped, an id without data only moves the position. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ClientEvent> {
  let rest = "";
  let id = "";
  for await (const piece of body.pipeThrough(
    new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>,
  )) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(
        block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const),
      );
      id = fields.get("id") ?? id;
      const data = fields.get("data");
      if (data !== undefined) yield { name: fields.get("event") ?? "message", data: JSON.parse(data), id };
    }
  }
}

/** All events of a stream until it ends. */
export async function allEvents(body: ReadableStream<Uint8Array> | null): Promise<readonly ClientEvent[]> {
  const events: ClientEvent[] = [];
  for await (const event of readEvents(body as ReadableStream<Uint8Array>)) events.push(event);
  return events;
}
