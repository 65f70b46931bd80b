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
  ["intl", ["Intl"]],
];

/** Methods that follow a locale: the first call of one compiles its group, which has them in the same order. */
const localeMethods: readonly (readonly [group: string, prototypes: readonly object[], names: readonly string[]])[] = [
  [
    "locale-numbers",
    [Number.prototype, BigInt.prototype, Array.prototype],
    ["toLocaleString", "toLocaleString", "toLocaleString"],
  ],
  [
    "locale-dates",
    [Date.prototype, Date.prototype, Date.prototype],
    ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"],
  ],
  ["locale-compare", [String.prototype], ["localeCompare"]],
];

type LazyGroup = () => Readonly<Record<string, unknown>>;

function installLazy(globals: object, host: HostCall): void {
  for (let index = 0; index < lazyGlobals.length; index++) {
    const [group, names] = lazyGlobals[index] as readonly [string, readonly string[]];
    installGroup(globals, names, lazyGroup(host, group));
  }
  for (let index = 0; index < localeMethods.length; index++) {
    const [group, prototypes, names] = localeMethods[index] as (typeof localeMethods)[number];
    const load = lazyGroup(host, group);
    for (let each = 0; each < names.length; each++)
      installLocaleMethod(load, each, prototypes[each] as Methods, names[each] as string);
  }
}

/** Evaluates the scripts of a group once, however many of its names are used. */
function lazyGroup(host: HostCall, group: string): LazyGroup {
  let loaded: ReturnType<LazyGroup> | undefined;
  return () => {
    loaded ??= host("lazy", group) as ReturnType<LazyGroup>;
    return loaded;
  };
}

function installGroup(globals: object, names: readonly string[], load: LazyGroup): void {
  for (let each = 0; each < names.length; each++) {
    const name = names[each] as string;
    defineProperty(globals, name, {
      get: () => {
        const loaded = load();
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

type Methods = { [name: string]: { length: number } };
type LocaleMethod = (self: unknown, first: unknown, second: unknown, third: unknown) => unknown;

function installLocaleMethod(load: LazyGroup, index: number, prototype: Methods, name: string): void {
  // Methods of a class are strict: `this` stays what the program called them on.
  const { prototype: holder } = class {
    [name](first: unknown, second: unknown, third: unknown): unknown {
      const method = (load().methods as readonly LocaleMethod[])[index] as LocaleMethod;
      return method(this, first, second, third);
    }
  };
  const stub = (holder as unknown as Record<string, object>)[name] as object;
  defineProperty(stub, "length", { value: prototype[name]?.length, configurable: true });
  replaceable(prototype, name, stub);
}
