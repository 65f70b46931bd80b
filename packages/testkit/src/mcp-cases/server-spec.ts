import type { JsonObject, JsonValue } from "@code-mode/contract";
import { asList, isJsonObject } from "../json-guards.ts";

/** What the fixture server does with a call of a tool; see `fixtures/case-mcp-server.mjs`. */
export type ServerBehaviour =
  | { readonly do: "echo" | "pid" | "hang" | "halfLine" | "twice" }
  | { readonly do: "text"; readonly value: string }
  | { readonly do: "result"; readonly result: JsonValue }
  | { readonly do: "image" | "big"; readonly bytes: number }
  | { readonly do: "exit"; readonly code: number; readonly afterMs: number }
  | { readonly do: "change"; readonly add?: readonly JsonObject[]; readonly remove?: readonly string[] };

/** One MCP server of a case. */
export type CaseServerSpec = {
  readonly tools: readonly JsonObject[];
  readonly calls: Readonly<Record<string, ServerBehaviour>>;
  readonly transport: "stdio" | "http" | "missing";
  readonly startDelayMs?: number;
  readonly stdoutNoise?: readonly string[];
  readonly pageSize?: number;
  /** HTTP: the session is forgotten after so many calls. */
  readonly forgetAfterCalls?: number;
  /** Longest silence of a call, for the client. */
  readonly timeoutMs?: number;
};

type Prose = { readonly words: RegExp; make(match: RegExpExecArray): ServerBehaviour };

const anyObject: JsonObject = { type: "object", properties: {} };
/** Tools that the data names but says nothing about: their names say that they never answer. */
const silentNames = new Set(["hang", "long"]);

const proses: readonly Prose[] = [
  {
    words: /^process exits with code (\d+) after (\d+) ms$/,
    make: (match) => ({ do: "exit", code: Number(match[1]), afterMs: Number(match[2]) }),
  },
  { words: /^returns its process id$/, make: () => ({ do: "pid" }) },
  { words: /^writes half a JSON line then exits$/, make: () => ({ do: "halfLine" }) },
  {
    words: /^adds tool `([^`]+)`, sends notifications\/tools\/list_changed$/,
    make: (match) => ({ do: "change", add: [{ name: match[1] ?? "", inputSchema: anyObject }] }),
  },
];

/**
 * The servers that a case describes, by name.
 * @throws TypeError for prose that nobody here understands
 */
export function serverSpecsOf(input: JsonObject): Readonly<Record<string, CaseServerSpec>> {
  const servers = isJsonObject(input.mcpServers) ? Object.entries(input.mcpServers) : [];
  return Object.fromEntries(servers.map(([name, described]) => [name, specOf(described)]));
}

function specOf(described: JsonValue): CaseServerSpec {
  if (!isJsonObject(described)) return toolsOnly(asList(described));
  const { tools, onCall, spawnError, startDelayMs, stdoutNoise, requestTimeoutMs, transport, after } = described;
  const behaviours = isJsonObject(onCall) ? onCall : {};
  const base = toolsOnly(asList(tools));
  const calls = Object.entries(behaviours).map(([tool, prose]) => [tool, behaviourOf(prose)] as const);
  return {
    ...base,
    calls: { ...base.calls, ...Object.fromEntries(calls) },
    transport: spawnError !== undefined ? "missing" : transport === "streamable-http" ? "http" : "stdio",
    ...(typeof startDelayMs === "number" ? { startDelayMs } : {}),
    ...(stdoutNoise === undefined ? {} : { stdoutNoise: asList(stdoutNoise).map(String) }),
    ...(typeof requestTimeoutMs === "number" ? { timeoutMs: requestTimeoutMs } : {}),
    ...(after === undefined ? {} : { forgetAfterCalls: forgetsAfter(String(after)) }),
  };
}

function toolsOnly(declared: readonly JsonValue[]): CaseServerSpec {
  const tools = declared.map(toolOf);
  return {
    tools: tools.map(({ tool }) => tool),
    calls: Object.fromEntries(tools.map(({ tool, behaviour }) => [String(tool.name), behaviour])),
    transport: "stdio",
  };
}

function toolOf(declared: JsonValue): { tool: JsonObject; behaviour: ServerBehaviour } {
  if (!isJsonObject(declared)) return proseTool(String(declared));
  const { echo: _echo, returns, ...wire } = declared;
  const tool = { inputSchema: anyObject, ...wire };
  if (returns === undefined) return { tool, behaviour: { do: "echo" } };
  const value = typeof returns === "string" ? returns : JSON.stringify(returns);
  return { tool, behaviour: { do: "text", value } };
}

/** `name`, or `name -> 'the text it returns'`. */
function proseTool(prose: string): { tool: JsonObject; behaviour: ServerBehaviour } {
  const [, name = "", value] = /^([\w.-]+)(?:\s*->\s*'(.*)')?$/s.exec(prose) ?? [];
  if (name === "") throw new TypeError(`no MCP tool can be made of "${prose}"`);
  const tool = { name, description: `The declared tool ${name}.`, inputSchema: anyObject };
  if (value !== undefined) return { tool, behaviour: { do: "text", value } };
  return { tool, behaviour: { do: silentNames.has(name) ? "hang" : "echo" } };
}

function behaviourOf(described: JsonValue): ServerBehaviour {
  if (isJsonObject(described)) return resultOf(described);
  for (const { words, make } of proses) {
    const match = words.exec(String(described));
    if (match !== null) return make(match);
  }
  throw new TypeError(`no MCP server here behaves as "${String(described)}"`);
}

/** A result is sent as it is; the data abbreviates large base64 text. */
function resultOf(result: JsonObject): ServerBehaviour {
  const size = /"<(\d+) kB base64>"/.exec(JSON.stringify(result))?.[1];
  // three bytes become four characters
  return size === undefined ? { do: "result", result } : { do: "image", bytes: (Number(size) * 1000 * 3) / 4 };
}

function forgetsAfter(prose: string): number {
  if (prose === "first call: forget session, reply 404") return 1;
  throw new TypeError(`no MCP server here does "${prose}"`);
}
