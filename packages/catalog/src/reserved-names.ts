/** Members every plain object inherits; a tool of that name must never shadow one. */
const objectPrototypeNames = [
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
] as const;

/** Names that `tools` keeps for itself: `then` would make it awaitable, `toJSON` would change how it prints (GUEST-4). */
export const reservedToolNames: ReadonlySet<string> = new Set([
  "search",
  "describe",
  "call",
  "then",
  "toJSON",
  ...objectPrototypeNames,
]);

/** Names that `MCP` and `MCP.<server>` keep for themselves (MCP-1). */
export const reservedMemberNames: ReadonlySet<string> = new Set([
  "$api",
  "$search",
  "resources",
  "prompts",
  "then",
  "toJSON",
  ...objectPrototypeNames,
]);
