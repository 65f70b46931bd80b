import { mcpLimits } from "./mcp-limits.ts";

/** Foreign text as one printable line of bounded length: a server must not fake further lines or move the cursor. */
export function oneLine(text: string, maxLength: number = mcpLimits.maxNoteLength): string {
  const line = text
    .slice(0, maxLength * 4)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
