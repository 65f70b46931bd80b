export { buildCatalog } from "./build-catalog.ts";
export { compactInputHint } from "./input-hint.ts";
export { type DeclarationFile, mcpDeclarations } from "./mcp-declarations.ts";
export { safeToolName } from "./safe-names.ts";
