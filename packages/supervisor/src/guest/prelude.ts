import { Cell } from "./cell.ts";
import { createConsole } from "./console.ts";
import { harden } from "./harden.ts";
import type { HostCall } from "./host.ts";
import { defineProperty, freeze, parseJson } from "./intrinsics.ts";
import { createApi, createMcp, createResults, createTools } from "./tools-api.ts";

/**
 * Prepares a fresh VM: installs the guest globals, closes the doors, and returns the one function by which the host
 * talks to the cell. Evaluated once per template; its state is the state of one cell.
 */
export function installGuest(host: HostCall): (operation: string, first?: unknown, second?: unknown) => unknown {
  const cell = new Cell(host);
  const globals = globalThis;
  constant(globals, "tools", createTools(cell));
  constant(globals, "MCP", createMcp(cell));
  constant(globals, "API", createApi(cell));
  constant(
    globals,
    "results",
    createResults(cell, (value) => cell.jsonText(value, "value")),
  );
  constant(
    globals,
    "text",
    freeze((value: unknown) => cell.text(value)),
  );
  constant(
    globals,
    "json",
    freeze((value: unknown) => cell.json(value)),
  );
  constant(
    globals,
    "yield_control",
    freeze((reason?: unknown) => cell.yieldControl(reason)),
  );
  replaceable(
    globals,
    "console",
    createConsole(host, (value) => (typeof value === "string" ? value : cell.showText(value))),
  );
  installTimers(globals, cell);
  installAllTools(globals, host);
  installLazy(globals, host);
  harden(globals);
  return (operation, first, second) => cell.handle(operation, first, second);
}

function constant(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { value, writable: false, enumerable: true, configurable: false });
}

function replaceable(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true });
}

function installTimers(globals: object, cell: Cell): void {
  const { timers } = cell;
  replaceable(globals, "setTimeout", (callback: unknown, ms?: unknown, ...args: unknown[]) =>
    timers.set("setTimeout", callback, ms, args),
  );
  replaceable(globals, "setInterval", (callback: unknown, ms?: unknown, ...args: unknown[]) =>
    timers.set("setInterval", callback, ms, args),
  );
  replaceable(globals, "clearTimeout", (id?: unknown) => timers.clear(id));
  replaceable(globals, "clearInterval", (id?: unknown) => timers.clear(id));
}

/** The catalog text becomes objects when a program first asks for it, never before. */
function installAllTools(globals: object, host: HostCall): void {
  let all: unknown;
  const read = (): unknown => {
    all ??= parseJson(host("allTools") as string);
    return all;
  };
  defineProperty(globals, "ALL_TOOLS", { get: read, enumerable: true, configurable: false });
}

/** Polyfills that most programs never touch: their source is compiled on first use. */
const lazyGlobals: readonly (readonly [group: string, names: readonly string[]])[] = [
  ["url", ["URL", "URLSearchParams"]],
  ["text-encoding", ["TextEncoder", "TextDecoder"]],
  ["structured-clone", ["structuredClone"]],
];

function installLazy(globals: object, host: HostCall): void {
  for (let index = 0; index < lazyGlobals.length; index++) {
    const [group, names] = lazyGlobals[index] as readonly [string, readonly string[]];
    for (let each = 0; each < names.length; each++) {
      const name = names[each] as string;
      defineProperty(globals, name, {
        get: () => {
          const loaded = host("lazy", group) as Record<string, unknown>;
          for (let member = 0; member < names.length; member++)
            replaceable(globals, names[member] as string, loaded[names[member] as string]);
          return loaded[name];
        },
        set: (value: unknown) => replaceable(globals, name, value),
        enumerable: false,
        configurable: true,
      });
    }
  }
}
