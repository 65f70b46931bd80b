import { CodeModeError } from "@code-mode/contract";

/** Sees a request body as sent; throws to keep it from being sent. */
export type InspectBody = (body: unknown) => void;

/** A `fetch` that shows every request body to `inspect` first; a body that cannot be read is not sent (SUR-3). */
export function inspectingFetch(inspect: InspectBody): typeof fetch {
  return async (input, init) => {
    if (init?.body !== undefined && init.body !== null) inspect(parseBody(init.body));
    return fetch(input, init);
  };
}

function parseBody(body: unknown): unknown {
  if (typeof body === "string") return JSON.parse(body);
  throw new CodeModeError(
    "internal_error",
    "the model request has no JSON text as body, so its tools cannot be checked; it was not sent.",
  );
}
