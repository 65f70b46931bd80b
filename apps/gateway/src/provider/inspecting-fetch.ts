import { CodeModeError } from "@code-mode/contract";
import type { PayloadFormat } from "@code-mode/surface";

/** Sees a request body as sent, with its wire format; throws to keep it from being sent. */
export type InspectBody = (body: unknown, format: PayloadFormat) => void;

/** A `fetch` that shows every request body to `inspect` first; a body that cannot be read is not sent (SUR-3). */
export function inspectingFetch(inspect: (body: unknown) => void, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    if (init?.body !== undefined && init.body !== null) inspect(parseBody(init.body));
    return send(input, init);
  };
}

function parseBody(body: unknown): unknown {
  if (typeof body === "string") return JSON.parse(body);
  throw new CodeModeError(
    "internal_error",
    "the model request has no JSON text as body, so its tools cannot be checked; it was not sent.",
  );
}
