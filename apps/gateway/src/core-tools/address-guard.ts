import { CodeModeError } from "@code-mode/contract";
import ipaddr from "ipaddr.js";

/** `true` for all, or single addresses and ranges such as `10.1.0.0/16`. */
export type AllowPrivate = boolean | readonly string[];

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** The only part of IPv6 that is given out for the public internet. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");
/** Parts of it that are not public and that the library does not know. */
const documentation = ipaddr.parseCIDR("3fff::/20");

/** Decides which addresses may be connected to. Everything that is not plainly public needs to be allowed (CORE-1). */
export class AddressGuard {
  readonly #all: boolean;
  readonly #ranges: readonly Range[];

  /** @throws CodeModeError `invalid_input` for a range that is none */
  constructor(allowPrivate: AllowPrivate = false) {
    this.#all = allowPrivate === true;
    this.#ranges = typeof allowPrivate === "boolean" ? [] : allowPrivate.map(parseRange);
  }

  /** Nothing beyond public addresses is allowed. */
  get publicOnly(): boolean {
    return !this.#all && this.#ranges.length === 0;
  }

  /** @param address an IP address as a resolver gives it; anything else is refused */
  admits(address: string): boolean {
    if (!ipaddr.isValid(address) || address.includes("%")) return false;
    const parsed = ipaddr.parse(address);
    return this.#all || isPublic(parsed) || this.#ranges.some((range) => isIn(parsed, range));
  }
}

/** True for a range or address that `allowPrivate` may hold. */
export function isAddressRange(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.isValid(text);
}

/** Mapped, translated (NAT64) and tunnelled (6to4, Teredo) addresses hide another one, so none of them is public. */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (isIn(address, globalUnicast) && !isIn(address, documentation));
}

function isIn(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

function parseRange(text: string): Range {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (ipaddr.isValid(text)) {
    const address = ipaddr.parse(text);
    return ipaddr.parseCIDR(`${text}/${address.kind() === "ipv4" ? 32 : 128}`);
  }
  throw new CodeModeError(
    "invalid_input",
    `tools.webFetch.allowPrivate: ${JSON.stringify(text)} is no address or range. Write "10.0.0.5" or "10.0.0.0/8".`,
  );
}
