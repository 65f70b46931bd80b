export { buildCatalog } from "./build-catalog.ts";
export { catalogId } from "./entry-id.ts";
export { compactInputHint } from "./input-hint.ts";
export { type DeclarationFile, mcpDeclarations } from "./mcp-declarations.ts";
export {
  clearCodeModeNamespacesForPlugin,
  clearCodeModeNamespacesForTest,
  defaultNamespaceRegistry,
  registerCodeModeNamespaceForPlugin,
} from "./namespaces/default-registry.ts";
export { createNamespaceRegistry, type NamespaceRegistry } from "./namespaces/namespace-registry.ts";
export {
  type CodeModeNamespaceRuntime,
  createCodeModeNamespaceRuntime,
  type NamespaceDescriptor,
  type NamespaceRuntimeContext,
  type NamespaceText,
  namespaceTexts,
} from "./namespaces/namespace-runtime.ts";
export { createCodeModeNamespaceTool, type NamespaceTool } from "./namespaces/namespace-tool.ts";
export type { NamespaceContext, NamespaceInputMapper, NamespaceRegistration } from "./namespaces/namespace-types.ts";
export { safeToolName } from "./safe-names.ts";
