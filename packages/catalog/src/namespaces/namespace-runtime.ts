import { toJsonText } from "@code-mode/bridge";
import { type Catalog, CodeModeError, type JsonValue, messageOf } from "@code-mode/contract";
import { entryId } from "../entry-id.ts";
import { nearestOf, suggestion } from "../nearest-names.ts";
import { defaultNamespaceRegistry } from "./default-registry.ts";
import { isPlainObject } from "./json-fallback.ts";
import { maskedConfig } from "./masked-config.ts";
import type { NamespaceRegistry } from "./namespace-registry.ts";
import type { NamespaceTool } from "./namespace-tool.ts";
import type { NamespaceContext, OwnedNamespace } from "./namespace-types.ts";
import { describeScope } from "./scope-descriptor.ts";

/** A visible namespace as the guest gets it: plain values, and `{$call: path}` where a callable stands. */
export type NamespaceDescriptor = { readonly id: string; readonly globalName: string; readonly scope: JsonValue };

/** The words a visible namespace adds to the description of `exec`. */
export type NamespaceText = { readonly globalName: string; readonly description: string; readonly prompt?: string };

/** Facts about a cell; `config` may be the live configuration, scopes get a masked copy. */
export type NamespaceRuntimeContext = Omit<NamespaceContext, "config"> & { readonly config?: unknown };

/** The namespaces of one cell. Made once, before guest code runs; kept across `wait`. */
export interface CodeModeNamespaceRuntime {
  readonly descriptors: readonly NamespaceDescriptor[];
  /** `descriptors` as JSON text, as it crosses to the worker. */
  readonly json: string;
  /**
   * The catalog tool and input behind a guest call.
   * @throws CodeModeError `tool_error` for a forged id or path, or when an input mapper throws
   */
  resolveCall(
    namespaceId: string,
    path: string,
    args: readonly JsonValue[],
  ): { readonly toolId: string; readonly input: JsonValue };
}

/**
 * Makes the scopes of every namespace visible in this run.
 * @param registry default: the process-wide one
 * @throws CodeModeError `internal_error` naming plugin and path when a scope is bad or cannot be made (NS-5)
 */
export function createCodeModeNamespaceRuntime(
  context: NamespaceRuntimeContext,
  catalog: Catalog,
  registry: NamespaceRegistry = defaultNamespaceRegistry(),
): CodeModeNamespaceRuntime {
  return new CellNamespaces(context, registry.visible(catalog));
}

/** What the namespaces visible in a run say to the model; makes no scope. */
export function namespaceTexts(
  catalog: Catalog,
  registry: NamespaceRegistry = defaultNamespaceRegistry(),
): NamespaceText[] {
  return registry.visible(catalog).map(({ globalName, description, prompt }) => ({
    globalName,
    description,
    ...(prompt === undefined ? {} : { prompt }),
  }));
}

type VisibleScope = { readonly namespace: OwnedNamespace; readonly callables: ReadonlyMap<string, NamespaceTool> };

class CellNamespaces implements CodeModeNamespaceRuntime {
  readonly descriptors: readonly NamespaceDescriptor[];
  readonly json: string;
  readonly #scopes = new Map<string, VisibleScope>();

  constructor(context: NamespaceRuntimeContext, namespaces: readonly OwnedNamespace[]) {
    const shown = namespaces.length === 0 ? undefined : shownContext(context);
    this.descriptors = namespaces.map((namespace) => {
      const { scope, callables } = describeScope(namespace, createScope(namespace, shown));
      this.#scopes.set(namespace.id, { namespace, callables });
      return { id: namespace.id, globalName: namespace.globalName, scope };
    });
    this.json = JSON.stringify(this.descriptors);
  }

  resolveCall(
    namespaceId: string,
    path: string,
    args: readonly JsonValue[],
  ): { readonly toolId: string; readonly input: JsonValue } {
    const scope = this.#scopes.get(namespaceId);
    if (scope === undefined)
      throw new CodeModeError(
        "tool_error",
        `no namespace ${JSON.stringify(String(namespaceId).slice(0, 80))} is visible in this run.`,
      );
    const tool = scope.callables.get(path);
    if (tool === undefined) throw unknownPath(scope, path);
    return {
      toolId: entryId("openclaw", scope.namespace.pluginId, tool.toolName),
      input: mapInput(tool, args, `${scope.namespace.globalName}.${path}`),
    };
  }
}

function shownContext(context: NamespaceRuntimeContext): NamespaceContext {
  const { agentId, sessionKey, sessionId, runId } = context;
  const config = maskedConfig(context.config);
  return Object.freeze({
    agentId,
    sessionKey,
    sessionId,
    runId,
    config,
    get aborted() {
      return context.aborted;
    },
  });
}

function createScope(namespace: OwnedNamespace, context: NamespaceContext | undefined): unknown {
  try {
    return context === undefined ? undefined : namespace.createScope(context);
  } catch (error) {
    throw new CodeModeError(
      "internal_error",
      `the namespace "${namespace.id}" of plugin "${namespace.pluginId}" could not make its scope: ${messageOf(error)}`,
      {
        details: { pluginId: namespace.pluginId, path: namespace.globalName },
        cause: error,
      },
    );
  }
}

function mapInput(tool: NamespaceTool, args: readonly JsonValue[], name: string): JsonValue {
  if (tool.inputMapper === undefined) return args[0] ?? {};
  const mapped = runMapper(tool.inputMapper, args, name);
  const json = typeof mapped === "object" && mapped !== null && isPlainObject(mapped) ? toJsonText(mapped) : undefined;
  if (json?.ok === true) return JSON.parse(json.text) as JsonValue;
  throw new CodeModeError("tool_error", `${name}: its plugin made no input object from these arguments.`);
}

function runMapper(
  mapper: NonNullable<NamespaceTool["inputMapper"]>,
  args: readonly JsonValue[],
  name: string,
): unknown {
  try {
    return mapper(args);
  } catch (error) {
    throw new CodeModeError("tool_error", `${name}: ${messageOf(error)}`, { cause: error });
  }
}

function unknownPath({ namespace, callables }: VisibleScope, path: string): CodeModeError {
  const wanted = String(path).slice(0, 80);
  const near = nearestOf(wanted, callables.keys()).map((known) => `${namespace.globalName}.${known}`);
  return new CodeModeError(
    "tool_error",
    `${namespace.globalName} has no function ${JSON.stringify(wanted)}.${suggestion(near)}`,
  );
}
