import { type Calls, rejecting } from "./calls.ts";
import type { HostCall } from "./host.ts";
import {
  defineProperty,
  freeze,
  MapConstructor,
  mapGet,
  mapSet,
  objectCreate,
  ProxyConstructor,
  parseJson,
  setOwn,
  stringifyJson,
  TypeErrorConstructor,
} from "./intrinsics.ts";

/** What the API objects need of the prelude. */
export type ApiContext = {
  readonly host: HostCall;
  readonly calls: Calls;
  /** JSON text of a tool input; throws a catchable error when it is too large. */
  inputText(value: unknown): string;
  /** Remembers the last member that does not exist, to explain a later "not a function". */
  noteMiss(expression: string, near: string): void;
};

type Lookup = (name: string) => unknown;

/**
 * An object whose members are looked up on the host when first used: cost stays flat however large the catalog is.
 * Writing, deleting and redefining members is refused silently, as on any frozen object.
 */
function lazyObject(lookup: Lookup, names: () => string[]): object {
  const cache = new MapConstructor<string, unknown>();
  const find = (key: PropertyKey): unknown => {
    if (typeof key !== "string") return undefined;
    const known = mapGet(cache, key);
    if (known !== undefined) return known;
    const found = lookup(key);
    if (found !== undefined) mapSet(cache, key, found);
    return found;
  };
  return new ProxyConstructor(objectCreate(null) as object, {
    get: (_target, key) => find(key),
    has: (_target, key) => find(key) !== undefined,
    ownKeys: () => names(),
    getOwnPropertyDescriptor: (_target, key) => {
      const value = find(key);
      return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  });
}

/** `tools`: helpers plus one convenience function per unambiguous safe name (GUEST-3, GUEST-4). */
export function createTools(context: ApiContext): object {
  const { calls, host } = context;
  const helpers = objectCreate(null) as Record<string, unknown>;
  setOwn(
    helpers,
    "search",
    rejecting((query, options) => calls.send("search", textOf(query, "tools.search(query)"), optionsText(options))),
  );
  setOwn(
    helpers,
    "describe",
    rejecting((id) => calls.send("describe", textOf(id, "tools.describe(id)"), "{}")),
  );
  setOwn(
    helpers,
    "call",
    rejecting((id, input) => calls.send("native", textOf(id, "tools.call(id, input)"), context.inputText(input))),
  );
  freeze(helpers);
  return lazyObject(
    (name) => {
      const helper = helpers[name];
      if (helper !== undefined) return helper;
      const id = host("tool", name) as string | undefined;
      if (id !== undefined) return toolFunction(name, (input) => calls.send("call", id, context.inputText(input)));
      if (isProbe(name)) return undefined;
      context.noteMiss(`tools.${name}`, host("nearTool", name) as string);
      return undefined;
    },
    () => ["search", "describe", "call"].concat(parseJson(host("tools") as string) as string[]),
  );
}

/** `MCP`: one lazy object per visible server (MCP-1). */
export function createMcp(context: ApiContext): object {
  const { calls, host } = context;
  const search = freeze(
    rejecting((query, options) => calls.send("mcp.search", textOf(query, "MCP.$search(query)"), optionsText(options))),
  );
  return lazyObject(
    (name) => {
      if (name === "$search") return search;
      const server = host("server", name) as string | undefined;
      if (server !== undefined) return createServer(context, name, server);
      if (!isProbe(name)) context.noteMiss(`MCP.${name}`, host("nearServer", name) as string);
      return undefined;
    },
    () => parseJson(host("servers") as string) as string[],
  );
}

function createServer(context: ApiContext, guestName: string, server: string): object {
  const { calls, host } = context;
  const special = createSpecial(context, guestName, server);
  return lazyObject(
    (name) => {
      if (name === "$api")
        return rejecting((toolName, options) =>
          calls.send(
            "mcp.api",
            server,
            stringifyJson({
              toolName,
              schema: (options as { schema?: unknown } | undefined)?.schema === true,
            }) as string,
          ),
        );
      if (special[name] !== undefined) return special[name];
      const id = host("member", guestName, name) as string | undefined;
      if (id !== undefined) return toolFunction(name, (input) => calls.send("call", id, context.inputText(input)));
      if (!isProbe(name)) context.noteMiss(`MCP.${guestName}.${name}`, host("nearMember", guestName, name) as string);
      return undefined;
    },
    () => parseJson(host("members", guestName) as string) as string[],
  );
}

/** `resources` and `prompts` of a server, present only when it offers them (MCP-4). */
function createSpecial(context: ApiContext, guestName: string, server: string): Record<string, object | undefined> {
  const groups = objectCreate(null) as Record<string, Record<string, unknown>>;
  const paths = parseJson(context.host("special", guestName) as string) as [path: string, id: string][];
  for (let index = 0; index < paths.length; index++) {
    const [path, id] = paths[index] as [string, string];
    const dot = path.indexOf(".");
    const group = path.slice(0, dot);
    if (groups[group] === undefined) setOwn(groups, group, objectCreate(null));
    setOwn(
      groups[group] as object,
      path.slice(dot + 1),
      rejecting((input) => context.calls.send("call", id, context.inputText(input))),
    );
  }
  freeze(groups.resources ?? server);
  freeze(groups.prompts ?? server);
  return groups;
}

/** `API`: the read-only virtual declaration files and the search over all tools (MCP-5, GUEST-9). */
export function createApi({ calls }: ApiContext): object {
  const api = objectCreate(null) as object;
  setOwn(
    api,
    "list",
    rejecting((prefix) =>
      calls.send("api.list", prefix === undefined ? "" : textOf(prefix, "API.list(prefix?)"), "{}"),
    ),
  );
  setOwn(
    api,
    "read",
    rejecting((path) => calls.send("api.read", textOf(path, "API.read(path)"), "{}")),
  );
  setOwn(
    api,
    "search",
    rejecting((query, options) => calls.send("api.search", textOf(query, "API.search(query)"), optionsText(options))),
  );
  return freeze(api);
}

/** `results`: values kept on the host for later cells (GUEST-8). */
export function createResults({ calls }: ApiContext, valueText: (value: unknown) => string): object {
  const results = objectCreate(null) as object;
  setOwn(
    results,
    "save",
    rejecting((value) => calls.send("results.save", "", valueText(value))),
  );
  setOwn(
    results,
    "load",
    rejecting((id) => calls.send("results.load", textOf(id, "results.load(id)"), "{}")),
  );
  setOwn(
    results,
    "delete",
    rejecting((id) => calls.send("results.delete", textOf(id, "results.delete(id)"), "{}")),
  );
  return freeze(results);
}

function toolFunction(name: string, call: (input: unknown) => Promise<unknown>): object {
  const member = rejecting((input) => call(input));
  defineProperty(member, "name", { value: name, configurable: true });
  return freeze(member);
}

function textOf(value: unknown, usage: string): string {
  if (typeof value !== "string") throw new TypeErrorConstructor(`${usage}: the first argument must be a string`);
  return value;
}

function optionsText(options: unknown): string {
  const limit = (options as { limit?: unknown } | undefined | null)?.limit;
  return typeof limit === "number" ? (stringifyJson({ limit }) as string) : "{}";
}

/** Names that the language and its libraries look up by themselves; they are no typing errors of the program. */
function isProbe(name: string): boolean {
  return (
    name === "then" ||
    name === "toJSON" ||
    name === "constructor" ||
    name === "valueOf" ||
    name === "toString" ||
    name === "inspect" ||
    name === "$$typeof"
  );
}
