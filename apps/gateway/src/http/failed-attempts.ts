import { bareAddress } from "./socket-of.ts";

/** Options of `FailedAttempts`; all have defaults. */
export type FailedAttemptsOptions = {
  /** Wrong tokens within one window that lock an address out. Default 10. */
  readonly limit?: number;
  /** Length of the window and of the lockout. Default one minute. */
  readonly windowMs?: number;
  /** Most addresses that are remembered; the oldest go first. Default 10,000. */
  readonly maxAddresses?: number;
  /** Milliseconds that only go forward. */
  now?(): number;
};

type Attempts = { times: number[]; lockedUntil: number };

/**
 * Wrong tokens by remote address. A lockout ends one window after the failure that caused it: what is tried meanwhile
 * does not prolong it, so that nobody who has the token is shut out for good.
 */
export class FailedAttempts {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #maxAddresses: number;
  readonly #now: () => number;
  readonly #attempts = new Map<string, Attempts>();

  constructor({ limit = 10, windowMs = 60_000, maxAddresses = 10_000, now }: FailedAttemptsOptions = {}) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#maxAddresses = maxAddresses;
    this.#now = now ?? (() => performance.now());
  }

  /** How long the address is still refused; 0 when it may try. */
  lockedForMs(address: string): number {
    const lockedUntil = this.#attempts.get(networkOf(address))?.lockedUntil ?? 0;
    return Math.max(0, lockedUntil - this.#now());
  }

  /** Counts one wrong token. */
  failed(address: string): void {
    const key = networkOf(address);
    const now = this.#now();
    const { times, lockedUntil } = this.#attempts.get(key) ?? { times: [], lockedUntil: 0 };
    const recent = [...times.filter((at) => at > now - this.#windowMs), now];
    const locked = recent.length >= this.#limit;
    this.#attempts.delete(key);
    this.#attempts.set(key, locked ? { times: [], lockedUntil: now + this.#windowMs } : { times: recent, lockedUntil });
    for (const oldest of this.#attempts.keys()) {
      if (this.#attempts.size <= this.#maxAddresses) break;
      this.#attempts.delete(oldest);
    }
  }
}

/** Whoever has one IPv6 address has the whole /64 around it. */
function networkOf(address: string): string {
  const bare = bareAddress(address);
  if (!bare.includes(":")) return bare;
  const [head = "", tail = ""] = bare.split("%")[0]?.split("::") ?? [];
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const gap = bare.includes("::") ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0") : [];
  return [...front, ...gap, ...back].slice(0, 4).join(":");
}
