/** Hears the events of one stream. */
export type EventListener = { event(type: string, data: string): void };

/** Longest event that is kept to be looked at; what is longer is shown cut. */
const maxEventLength = 64 * 1024;

/** The same response; what its event stream holds is told while it passes. */
export function watchEvents(response: Response, listener: EventListener): Response {
  if (response.body === null) return response;
  const decoder = new TextDecoder();
  const reader = new EventReader(listener);
  const watched = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        reader.add(decoder.decode(chunk, { stream: true }));
        controller.enqueue(chunk);
      },
      flush: () => reader.end(),
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(watched, { status, statusText, headers });
}

class EventReader {
  readonly #listener: EventListener;
  #line = "";
  #type = "";
  #data: string[] = [];
  #length = 0;

  constructor(listener: EventListener) {
    this.#listener = listener;
  }

  add(text: string): void {
    const lines = (this.#line + text).split(/\r\n|\n/);
    this.#line = (lines.pop() ?? "").slice(0, maxEventLength);
    for (const line of lines) this.#take(line);
  }

  end(): void {
    this.#take(this.#line);
    this.#take("");
  }

  #take(line: string): void {
    if (line.startsWith("event:")) this.#type = line.slice(6).trim();
    else if (line.startsWith("data:")) this.#keep(line.slice(5).trim());
    if (line !== "" || this.#data.length === 0) return;
    const data = this.#data.join("\n");
    this.#listener.event(this.#type || typeIn(data), data);
    this.#type = "";
    this.#data = [];
    this.#length = 0;
  }

  #keep(data: string): void {
    const kept = data.slice(0, Math.max(0, maxEventLength - this.#length));
    this.#length += kept.length;
    this.#data.push(kept);
  }
}

/** OpenAI and Google name no type on the wire; their data says what it is. */
function typeIn(data: string): string {
  return /"(?:object|type)"\s*:\s*"([\w.-]{1,64})"/.exec(data)?.[1] ?? (data === "[DONE]" ? "done" : "message");
}
