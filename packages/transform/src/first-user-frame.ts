import type { TextPosition } from "./line-table.ts";

/** A stack that a guest wrote itself may have any size; the innermost frames come first. */
const searchedLength = 65_536;

/**
 * The innermost frame of a QuickJS stack that lies in the named file, as line and engine column of that file.
 * Undefined if there is none. O(n), never throws.
 */
export function firstUserFrame(stack: string, fileName: string): TextPosition | undefined {
  for (const frame of stack.slice(0, searchedLength).split("\n")) {
    const at = frame.lastIndexOf(`${fileName}:`);
    // a longer file name that ends the same is another file
    if (at <= 0 || !" (".includes(frame.charAt(at - 1))) continue;
    const found = /^(\d{1,9}):(\d{1,9})\)?$/.exec(frame.slice(at + fileName.length + 1).trimEnd());
    if (found !== null) return { line: Number(found[1]), column: Number(found[2]) };
  }
  return undefined;
}
