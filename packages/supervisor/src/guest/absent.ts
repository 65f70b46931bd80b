import { defineProperty, ReferenceErrorConstructor } from "./intrinsics.ts";

/** Globals that models expect and that do not exist here, with what to use instead (GUEST-7). */
const absent: readonly (readonly [name: string, instead: string])[] = [
  ["fetch", 'there is no network here: use a tool, for example one found by await tools.search("fetch a web page")'],
  ["XMLHttpRequest", 'there is no network here: use a tool, for example one found by await tools.search("fetch a web page")'],
  ["WebSocket", "there is no network here: use a tool"],
  ["process", "there is no process here: use a tool for files, commands or the environment"],
  ["Buffer", "use TextEncoder, TextDecoder, atob, btoa or Uint8Array"],
  ["require", "there are no modules here: call tools.<name>(input) or MCP.<server>.<tool>(input)"],
  ["window", "this is no browser: use globalThis"],
  ["document", "this is no browser: use a tool"],
  ["localStorage", "use results.save(value) and results.load(id) to keep values for later programs"],
];

/** Installs accessors that throw a ReferenceError naming the alternative; a program may still assign its own value. */
export function installAbsent(globals: object): void {
  for (let index = 0; index < absent.length; index++) {
    const [name, instead] = absent[index] as readonly [string, string];
    const fail = (): never => {
      throw new ReferenceErrorConstructor(`${name} is not available: ${instead}`);
    };
    defineProperty(globals, name, { get: fail, set: (value) => defineProperty(globals, name, { value, writable: true, enumerable: true, configurable: true }), enumerable: false, configurable: true });
  }
}
