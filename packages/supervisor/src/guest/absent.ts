/** Globals that models expect and that do not exist here, with what to use instead (GUEST-7). */
const absent: { readonly [name: string]: string } = {
  __proto__: null as never,
  fetch: 'there is no network here; use a tool, for example one found by await tools.search("fetch a web page")',
  XMLHttpRequest:
    'there is no network here; use a tool, for example one found by await tools.search("fetch a web page")',
  WebSocket: "there is no network here; use a tool",
  process: "there is no process here; use a tool for files, commands or the environment",
  Buffer: "use TextEncoder, TextDecoder, atob, btoa or Uint8Array",
  require: "there are no modules here; call tools.<name>(input) or MCP.<server>.<tool>(input)",
  Deno: "this is no Deno; use a tool",
  Bun: "this is no Bun; use a tool",
  window: "this is no browser; use globalThis",
  document: "this is no browser; use a tool",
  localStorage: "use results.save(value) and results.load(id) to keep values for later programs",
  crypto: "use Math.random(), or a tool for cryptography",
};

const suffix = " is not defined";

/**
 * What to add to the message of an uncaught ReferenceError. The names stay undefined, not throwing accessors:
 * `typeof process` must be "undefined" as everywhere.
 */
export function explainAbsent(message: string): string {
  const end = message.length - suffix.length;
  if (end <= 0) return "";
  let name = "";
  for (let index = 0; index < end; index++) name += message[index];
  const instead = absent[name];
  return instead === undefined || message !== name + suffix ? "" : `: ${instead}`;
}
