import { bareAddress } from "./socket-of.ts";

/** Whether only this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  const address = bareAddress(host).toLowerCase();
  return address === "localhost" || address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}
