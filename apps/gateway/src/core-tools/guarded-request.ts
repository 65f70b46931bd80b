import { lookup as lookupHost } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { CodeModeError } from "@code-mode/contract";
import type { AddressGuard } from "./address-guard.ts";

/** An address of a host. */
export type HostAddress = { readonly address: string; readonly family: number };

/** Finds the addresses of a host name; asked once for each request. */
export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

/** How requests are made. */
export type GuardedRequestOptions = {
  readonly guard: AddressGuard;
  readonly resolveHost?: ResolveHost | undefined;
  readonly signal: AbortSignal;
};

/** Names that mean this machine or its own network, whatever a resolver says. */
const localName = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/**
 * Sends a GET request to exactly the address that was checked: the name is resolved once, so a second answer of the
 * name server (DNS rebinding) is never asked for.
 * @throws CodeModeError `invalid_input` for an address that is not public, `tool_error` when the host cannot be reached
 */
export async function guardedGet(url: URL, options: GuardedRequestOptions): Promise<IncomingMessage> {
  const addresses = await checkedAddresses(url, options);
  options.signal.throwIfAborted();
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, {
    // no pooled connection: it may lead to an address that was checked under other rules
    agent: false,
    lookup: pinnedLookup(addresses),
    signal: options.signal,
    headers: { "user-agent": "codemode", accept: "text/*, application/json, */*;q=0.5", "accept-encoding": "gzip, br" },
  });
  request.once("response", resolve);
  request.once("error", reject);
  request.end();
  return promise.catch((error: NodeJS.ErrnoException) => {
    options.signal.throwIfAborted();
    throw new CodeModeError(
      "tool_error",
      `${url.origin} cannot be reached (${error.code ?? error.message}). Check the address, or try again later.`,
      { cause: error },
    );
  });
}

async function checkedAddresses(url: URL, options: GuardedRequestOptions): Promise<readonly HostAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolved(host, options) : [{ address: host, family: isIP(host) }];
  if (addresses.every(({ address }) => options.guard.admits(address))) return addresses;
  throw refusedHost(host);
}

async function resolved(host: string, { guard, resolveHost, signal }: GuardedRequestOptions) {
  const name = host.toLowerCase().replace(/\.$/, "");
  // the name alone decides, unless the operator has allowed some addresses: then they decide
  if (guard.publicOnly && localName.test(name)) throw refusedHost(host);
  const addresses = await until(signal, (resolveHost ?? systemResolver)(host)).catch((error: NodeJS.ErrnoException) => {
    signal.throwIfAborted();
    throw new CodeModeError(
      "tool_error",
      `the host ${JSON.stringify(host)} is not known (${error.code ?? error.message}). Check its name.`,
      { cause: error },
    );
  });
  if (addresses.length > 0) return addresses;
  throw new CodeModeError("tool_error", `the host ${JSON.stringify(host)} has no address. Check its name.`);
}

function systemResolver(hostname: string): Promise<readonly HostAddress[]> {
  return lookupHost(hostname, { all: true });
}

/** A name server that never answers holds nobody up longer than the signal says. */
function until<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}

function pinnedLookup(addresses: readonly HostAddress[]): LookupFunction {
  return (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family ?? 4);
  };
}

function refusedHost(host: string): CodeModeError {
  return new CodeModeError(
    "invalid_input",
    `url: ${JSON.stringify(host)} is not a public address; web_fetch loads public pages only. The operator can allow others with tools.webFetch.allowPrivate.`,
  );
}
