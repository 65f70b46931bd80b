import type { Socket } from "node:net";
import type { Context } from "hono";

/** The connection that a request came over; nothing for a request that was made in the process. */
export function socketOf(context: Context): Socket | undefined {
  const { incoming } = (context.env ?? {}) as { incoming?: { readonly socket?: Socket } };
  return incoming?.socket;
}

/** An address without brackets, and IPv4 as such where the system writes it as IPv6 (`::ffff:127.0.0.1`). */
export function bareAddress(address: string): string {
  return address.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "");
}
