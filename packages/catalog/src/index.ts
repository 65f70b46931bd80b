export { type BuildCatalogOptions, buildCatalog } from "./build-catalog.ts";
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
export type { EmbedTexts } from "./search/definition-vectors.ts";
export { createHybridEngine, type HybridEngineOptions } from "./search/hybrid-engine.ts";
export { createLexicalEngine, type LexicalEngineOptions } from "./search/lexical-engine.ts";
export type { SearchEngine, ToolRanker } from "./search/search-engine.ts";
