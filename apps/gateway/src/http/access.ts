import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { FailedAttempts } from "./failed-attempts.ts";
import { HttpError } from "./http-error.ts";
import { bareAddress, socketOf } from "./socket-of.ts";

/**
 * Refuses requests without the bearer token; compared in constant time (GW-1). An address that showed ten wrong tokens
 * within a minute is refused for a minute, whatever it shows: a guess that is right must not tell. A request without
 * any token guesses nothing and does not count: a web page can make a browser send as many of these as it likes.
 */
export function requireToken(token: string, attempts: FailedAttempts): MiddlewareHandler {
  const expected = digest(token);
  return async (context, next) => {
    const address = socketOf(context)?.remoteAddress ?? "unknown";
    refuseLocked(context, attempts.lockedForMs(address));
    const given = context.req.header("authorization") ?? "";
    const shown = /^Bearer +(\S+) *$/i.exec(given)?.[1];
    if (shown === undefined || !timingSafeEqual(digest(shown), expected)) {
      if (/\S +\S/.test(given)) attempts.failed(address);
      context.header("www-authenticate", "Bearer");
      throw new HttpError(401, "unauthorized", "send the gateway's token as header Authorization: Bearer <token>.");
    }
    await next();
  };
}

function refuseLocked(context: Context, lockedForMs: number): void {
  if (lockedForMs <= 0) return;
  const seconds = Math.ceil(lockedForMs / 1000);
  context.header("retry-after", String(seconds));
  throw new HttpError(
    429,
    "too_many_failures",
    `this address sent too many wrong tokens; no token is looked at for ${seconds} more seconds.`,
  );
}

/**
 * Refuses requests that were not made for this gateway: a web page can reach loopback through a name that it controls
 * (DNS rebinding) or across origins, and then sends its own Host, Origin or Sec-Fetch-Site. Another port of the same
 * machine is another origin: what is served there is not ours.
 */
export function requireOwnHost(hosts: readonly string[]): MiddlewareHandler {
  const own = new Set(hosts.map((host) => bareAddress(host).toLowerCase()));
  return async (context, next) => {
    const header = context.req.header("host") ?? "";
    const name = hostName(header);
    // a number that names this end of the connection is nobody's DNS name
    const local = bareAddress(socketOf(context)?.localAddress ?? "");
    if (name === undefined || !(own.has(name) || name === local))
      throw new HttpError(
        403,
        "forbidden_host",
        `the Host header names another server; this gateway is ${hosts.join(" or ")}. More names go into gateway.allowedHosts.`,
      );
    const origin = context.req.header("origin");
    if (isForeignPage(context) || (origin !== undefined && !isSameOrigin(origin, header)))
      throw new HttpError(403, "forbidden_origin", "requests from other web origins are refused.");
    await next();
  };
}

/** What a browser says about who made the request, also where it sends no Origin (images, scripts, forms of old). */
function isForeignPage(context: Context): boolean {
  const site = context.req.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const followsLink =
    context.req.header("sec-fetch-mode") === "navigate" && context.req.header("sec-fetch-dest") === "document";
  return !(followsLink && context.req.method === "GET");
}

function isSameOrigin(origin: string, hostHeader: string): boolean {
  if (!/^https?:\/\/[^/?#@]+$/i.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  const own = `${protocol}//${hostHeader}`;
  return URL.canParse(own) && new URL(own).host === host;
}

/** Name or address in a Host header, without port and brackets; nothing for what is no plain `name[:port]`. */
function hostName(header: string): string | undefined {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header)?.[1];
  return name === undefined ? undefined : bareAddress(name).toLowerCase();
}

/** Hashed first, so that the comparison tells nothing about the length of the token either. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
