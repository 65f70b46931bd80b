import { type Catalog, CodeModeError, describeFound } from "@code-mode/contract";
import { assertPluginId, entryId } from "../entry-id.ts";
import { assertGlobalName } from "./global-names.ts";
import type { NamespaceRegistration, OwnedNamespace } from "./namespace-types.ts";

/** The namespaces of one code mode instance, by id (NS-1). */
export interface NamespaceRegistry {
  /** @throws CodeModeError `invalid_input` for a bad registration, or an id or global that is taken */
  register(pluginId: string, registration: NamespaceRegistration): void;
  /** Removes all namespaces of a plugin: on disable, uninstall, failed load and rollback (NS-10). */
  clearPlugin(pluginId: string): void;
  clearAll(): void;
  /** Those whose required tools are all in the catalog and belong to the same plugin, by id (NS-3). */
  visible(catalog: Catalog): OwnedNamespace[];
}

/** An empty registry. */
export function createNamespaceRegistry(): NamespaceRegistry {
  return new OwnRegistry();
}

class OwnRegistry implements NamespaceRegistry {
  readonly #byId = new Map<string, OwnedNamespace>();

  register(pluginId: string, registration: NamespaceRegistration): void {
    assertPluginId(pluginId);
    assertRegistration(pluginId, registration);
    const { id, globalName, description, requiredToolNames, prompt } = registration;
    this.#assertFree(id, globalName);
    const createScope: NamespaceRegistration["createScope"] = (context) => registration.createScope(context);
    const owned = {
      pluginId,
      id,
      globalName,
      description,
      requiredToolNames: Object.freeze([...requiredToolNames]),
      createScope,
    };
    this.#byId.set(id, Object.freeze(prompt === undefined ? owned : { ...owned, prompt }));
  }

  clearPlugin(pluginId: string): void {
    for (const [id, namespace] of this.#byId) if (namespace.pluginId === pluginId) this.#byId.delete(id);
  }

  clearAll(): void {
    this.#byId.clear();
  }

  visible(catalog: Catalog): OwnedNamespace[] {
    const shown = [...this.#byId.values()].filter((namespace) => hasRequiredTools(namespace, catalog));
    return shown.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #assertFree(id: string, globalName: string): void {
    for (const other of this.#byId.values()) {
      if (other.id !== id && other.globalName !== globalName) continue;
      const what = other.id === id ? `id ${JSON.stringify(id)}` : `global ${globalName}`;
      throw new CodeModeError(
        "invalid_input",
        `the namespace ${what} is already registered by plugin "${other.pluginId}". Choose another, or clear that plugin's namespaces first.`,
      );
    }
  }
}

function hasRequiredTools({ pluginId, requiredToolNames }: OwnedNamespace, catalog: Catalog): boolean {
  return requiredToolNames.every((name) => {
    const entry = catalog.get(entryId("openclaw", pluginId, name))?.entry;
    return entry !== undefined && entry.sourceName === pluginId;
  });
}

function assertRegistration(pluginId: string, registration: NamespaceRegistration): void {
  const fail = (problem: string): CodeModeError =>
    new CodeModeError("invalid_input", `a namespace of plugin "${pluginId}" cannot be registered: ${problem}.`);
  const { id, globalName, description, requiredToolNames, prompt, createScope } = registration;
  if (typeof id !== "string" || id === "") throw fail(`"id" must be a non-empty string, not ${describeFound(id)}`);
  assertGlobalName(globalName);
  if (typeof description !== "string") throw fail(`"description" must be a string, not ${describeFound(description)}`);
  if (prompt !== undefined && typeof prompt !== "string")
    throw fail(`"prompt" must be a string, not ${describeFound(prompt)}`);
  if (
    !Array.isArray(requiredToolNames) ||
    requiredToolNames.length === 0 ||
    requiredToolNames.some((name) => typeof name !== "string")
  )
    throw fail(`"requiredToolNames" must name at least one tool of the plugin: it decides who sees the namespace`);
  if (typeof createScope !== "function")
    throw fail(`"createScope" must be a function, not ${describeFound(createScope)}`);
}
