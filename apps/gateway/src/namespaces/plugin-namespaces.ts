import {
  createCodeModeNamespaceRuntime,
  createNamespaceRegistry,
  type NamespaceRegistration,
  type NamespaceRegistry,
  type NamespaceText,
  namespaceTexts,
} from "@code-mode/catalog";
import { type Catalog, CodeModeError, describeFound, type JsonValue, type RunScope } from "@code-mode/contract";
import type { CellNamespaces } from "@code-mode/runtime";
import type { GatewayConfig } from "../config/load-config.ts";
import type { NamespaceSink } from "../plugins/load-plugins.ts";
import { configView } from "./config-view.ts";

/** The namespaces of a host's plugins. Each host has its own, so that two in one process do not meet. */
export class PluginNamespaces {
  readonly #registry: NamespaceRegistry = createNamespaceRegistry();
  readonly #config: JsonValue;

  constructor(config: GatewayConfig) {
    this.#config = configView(config);
  }

  /** Where the plugin loader, and nobody else, registers and clears (PLG-4, NS-10). */
  readonly sink: NamespaceSink = {
    register: (pluginId, registration) => this.#registry.register(pluginId, assertObject(pluginId, registration)),
    clear: (pluginId) => this.#registry.clearPlugin(pluginId),
  };

  /** The namespaces of one cell; their scopes are made here, once. What they know of `aborted` follows the signal. */
  forCell(scope: RunScope, catalog: Catalog, signal: AbortSignal): CellNamespaces {
    const { agentId, sessionKey, sessionId, agentRunId } = scope;
    const context = {
      agentId,
      sessionKey,
      sessionId,
      runId: agentRunId,
      config: this.#config,
      get aborted() {
        return signal.aborted;
      },
    };
    return createCodeModeNamespaceRuntime(context, catalog, this.#registry);
  }

  /** What the namespaces visible with this catalog say to the model. */
  texts(catalog: Catalog): readonly NamespaceText[] {
    return namespaceTexts(catalog, this.#registry);
  }
}

function assertObject(pluginId: string, registration: unknown): NamespaceRegistration {
  if (typeof registration === "object" && registration !== null) return registration as NamespaceRegistration;
  throw new CodeModeError(
    "invalid_input",
    `a namespace of plugin "${pluginId}" is ${describeFound(registration)}, expected an object such as {id, globalName, description, requiredToolNames, createScope}.`,
  );
}
