import type { JsonValue } from "@code-mode/contract";

/** What `createScope` learns about the cell it makes a scope for (NS-4). */
export type NamespaceContext = {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  /** The agent run, under the name plugins know. */
  readonly runId: string;
  /** A frozen plain copy with secrets masked. */
  readonly config: JsonValue;
  readonly aborted: boolean;
};

/** A domain API that a plugin offers to guest programs. Internal: no stable plugin contract. */
export type NamespaceRegistration = {
  readonly id: string;
  /** The global under which guests find it, also a member of `namespaces`. */
  readonly globalName: string;
  readonly description: string;
  /** Tools of the same plugin without which the namespace does not show; callables may target only these. */
  readonly requiredToolNames: readonly string[];
  readonly prompt?: string;
  /** A plain object of JSON values, arrays, nested objects and members made by `createCodeModeNamespaceTool`. */
  createScope(context: NamespaceContext): unknown;
};

/** A registration with the plugin that owns it. */
export type OwnedNamespace = NamespaceRegistration & { readonly pluginId: string };

/** Turns the arguments of a guest call into the input of the tool behind it. */
export type NamespaceInputMapper = (args: readonly JsonValue[]) => unknown;
