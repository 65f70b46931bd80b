import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { HttpError } from "./http-error.ts";

/** Refuses requests without the bearer token; compared in constant time (GW-1). */
export function requireToken(token: string): MiddlewareHandler {
  const expected = digest(token);
  return async (context, next) => {
    const given = /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    if (given === undefined || !timingSafeEqual(digest(given), expected))
      throw new HttpError(401, "unauthorized", "send the gateway's token as header Authorization: Bearer <token>.");
    await next();
  };
}

/**
 * Refuses requests that were not made for this gateway: a web page can reach loopback through a name that it controls
 * (DNS rebinding) or across origins, and then sends its own Host or Origin.
 */
export function requireOwnHost(hosts: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const host = hostName(`http://${context.req.header("host") ?? ""}`);
    if (host === undefined || !hosts.includes(host))
      throw new HttpError(
        403,
        "forbidden_host",
        `the Host header names another server; this gateway is ${hosts.join(" or ")}.`,
      );
    const origin = context.req.header("origin");
    if (origin !== undefined && !hosts.includes(hostName(origin) ?? ""))
      throw new HttpError(403, "forbidden_origin", "requests from other web origins are refused.");
    await next();
  };
}

function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Hashed first, so that the comparison tells nothing about the length of the token either. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
