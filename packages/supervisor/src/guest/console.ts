import type { HostCall } from "./host.ts";
import { freeze } from "./intrinsics.ts";

/** `console` of the guest: each call appends one bounded text item to the output, in order. */
export function createConsole(host: HostCall, show: (value: unknown) => string): object {
  const print = (...args: unknown[]): void => {
    let line = "";
    for (let index = 0; index < args.length; index++) line += (index === 0 ? "" : " ") + show(args[index]);
    host("text", line);
  };
  return freeze({
    log: print,
    info: print,
    warn: print,
    error: print,
    debug: print,
    trace: print,
    table: print,
    dir: print,
  });
}
