export { codeFrame } from "./code-frame.ts";
export { firstUserFrame } from "./first-user-frame.ts";
export type { TextPosition } from "./line-table.ts";
export { mapPosition } from "./map-position.ts";
export {
  createPrepareSource,
  type PrepareSourceNow,
  type PrepareSourceOptions,
  prepareSource,
} from "./prepare-source.ts";
export { sourcePosition } from "./source-position.ts";
export type { CompilerLoader, TypeScriptApi, TypeStripper } from "./typescript/compiler-loader.ts";
