import type { IncomingMessage } from "node:http";
import { CodeModeError, type CodeModeTool } from "@code-mode/contract";
import { AddressGuard, type AllowPrivate } from "./address-guard.ts";
import { bodyText } from "./body-text.ts";
import { fieldsOf } from "./fields-of.ts";
import { type GuardedRequestOptions, guardedGet, type ResolveHost } from "./guarded-request.ts";
import { type Body, readBody } from "./read-body.ts";

const defaultBytes = 512 * 1024;
const maxBytes = 2 * 1024 * 1024;
const maxRedirects = 5;
/** From the first look-up to the last byte. */
const fetchTimeoutMs = 30_000;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What `web_fetch` takes from its host. */
export type WebFetchOptions = {
  /** Addresses beyond the public ones. Default none. */
  readonly allowPrivate?: AllowPrivate | undefined;
  /** Default the system's resolver. */
  readonly resolveHost?: ResolveHost | undefined;
  readonly timeoutMs?: number;
};

/**
 * The core tool `web_fetch`: text of a public web page.
 * @throws CodeModeError `invalid_input` for an allowed range that is none
 */
export function createWebFetchTool(options: WebFetchOptions = {}): CodeModeTool {
  const guard = new AddressGuard(options.allowPrivate);
  return {
    name: "web_fetch",
    label: "Load web page",
    description:
      "Load a public web page or file over http or https (GET) and return its text. Follows redirects; private addresses are refused.",
    parameters: fetchParameters,
    outputSchema: fetchOutput,
    execute: async (input, context) => {
      const { url = "", maxBytes: most = defaultBytes } = fieldsOf<{ url: string; maxBytes: number }>(input);
      const timeout = AbortSignal.timeout(options.timeoutMs ?? fetchTimeoutMs);
      const signal = AbortSignal.any([context.signal, timeout]);
      try {
        const found = await follow(parseUrl(url), { guard, resolveHost: options.resolveHost, signal });
        return describeResponse(found, await readBody(found.response, Math.min(most, maxBytes)));
      } catch (error) {
        context.signal.throwIfAborted();
        if (timeout.aborted)
          throw new CodeModeError("timeout", "url: the page did not arrive in time. Try again later, or another page.");
        throw CodeModeError.is(error) ? error : brokenResponse(error);
      }
    },
  };
}

type Found = { readonly url: URL; readonly response: IncomingMessage; readonly hops: number };

/** Every hop is checked like the first address. */
async function follow(start: URL, options: GuardedRequestOptions): Promise<Found> {
  let url = start;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await guardedGet(url, options);
    const { location } = response.headers;
    if (!redirects.has(response.statusCode ?? 0) || location === undefined) return { url, response, hops };
    response.destroy();
    url = parseUrl(location, url);
  }
  throw new CodeModeError(
    "tool_error",
    `url: more than ${maxRedirects} redirects, the last to ${url.origin}. Ask for the final address.`,
  );
}

function parseUrl(text: string, base?: URL): URL {
  const what = base === undefined ? "url" : `url: the redirect of ${base.origin}`;
  const url = URL.parse(text, base?.href);
  if (url === null)
    throw new CodeModeError(
      "invalid_input",
      `${what} is not a web address: ${JSON.stringify(text.slice(0, 200))}. Give one such as "https://example.com/page".`,
    );
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new CodeModeError(
      "invalid_input",
      `${what} has the scheme ${url.protocol} Only http: and https: are loaded.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new CodeModeError("invalid_input", `${what} holds a user name or password. Leave them out.`);
  return url;
}

function describeResponse({ url, response, hops }: Found, { bytes, truncated }: Body) {
  const contentType = response.headers["content-type"];
  const text = bodyText(bytes, contentType, truncated);
  return {
    url: url.href,
    status: response.statusCode ?? 0,
    ...(contentType === undefined ? {} : { contentType }),
    ...(text === undefined
      ? { note: `not text (${contentType ?? "unknown type"}, ${truncated ? "more than " : ""}${bytes.length} bytes)` }
      : { text }),
    truncated,
    redirects: hops,
  };
}

function brokenResponse(error: unknown): CodeModeError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CodeModeError(
    "tool_error",
    `url: the page could not be read to its end (${code ?? message}). Try again later.`,
    { cause: error },
  );
}

const fetchParameters = {
  type: "object",
  properties: {
    url: { type: "string", minLength: 1, maxLength: 8_192, description: "http or https address." },
    maxBytes: {
      type: "integer",
      minimum: 1,
      maximum: maxBytes,
      description: `Most bytes of the body, unpacked. Default ${defaultBytes}.`,
    },
  },
  required: ["url"],
  additionalProperties: false,
};

const fetchOutput = {
  type: "object",
  properties: {
    url: { type: "string", description: "Final address after redirects." },
    status: { type: "integer", description: "HTTP status; errors such as 404 have a body too." },
    contentType: { type: "string" },
    text: { type: "string", description: "Absent when the body is not text." },
    note: { type: "string", description: "What the body is, when it is not text." },
    truncated: { type: "boolean", description: "The body goes on after maxBytes." },
    redirects: { type: "integer" },
  },
  required: ["url", "status", "truncated", "redirects"],
  additionalProperties: false,
};
