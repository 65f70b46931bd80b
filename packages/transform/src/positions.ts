export { codeFrame } from "./code-frame.ts";
export { firstUserFrame } from "./first-user-frame.ts";
export type { TextPosition } from "./line-table.ts";
export { mapPosition } from "./map-position.ts";
export { sourcePosition } from "./source-position.ts";
