import { createNamespaceRegistry, type NamespaceRegistry } from "./namespace-registry.ts";
import type { NamespaceRegistration } from "./namespace-types.ts";

/** The one piece of module state of the project: the seed's functions are process-local by contract (NS-11). */
const processRegistry: NamespaceRegistry = createNamespaceRegistry();

/** The registry behind the process-local functions. */
export function defaultNamespaceRegistry(): NamespaceRegistry {
  return processRegistry;
}

/**
 * Registers a namespace for a plugin, process-wide. Only a trusted loader calls this.
 * @throws CodeModeError `invalid_input` for a bad registration, or an id or global that is taken
 */
export function registerCodeModeNamespaceForPlugin(pluginId: string, registration: NamespaceRegistration): void {
  processRegistry.register(pluginId, registration);
}

/** Removes all namespaces of a plugin: on disable, uninstall, failed load and rollback. */
export function clearCodeModeNamespacesForPlugin(pluginId: string): void {
  processRegistry.clearPlugin(pluginId);
}

/** Removes all namespaces, so that none outlives a test. */
export function clearCodeModeNamespacesForTest(): void {
  processRegistry.clearAll();
}
