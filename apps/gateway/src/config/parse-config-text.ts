import { extname } from "node:path";
import { CodeModeError, messageOf } from "@code-mode/contract";
import json5 from "json5";
import { isCollection, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { locateJson5Keys } from "./locate-json5-keys.ts";

/** A path inside the file: keys and list positions. */
export type KeyPath = readonly (string | number)[];

/** The content of a configuration file, with the way back to its lines. */
export type ParsedText = {
  readonly value: unknown;
  /** Line (from 1) of the deepest part of the path that stands in the file. */
  lineOf(path: KeyPath): number | undefined;
};

/**
 * Parses JSON5, JSON or YAML, chosen by the file's extension.
 * @throws CodeModeError `invalid_input` with file, line and column
 */
export function parseConfigText(text: string, file: string): ParsedText {
  const withoutBom = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return /\.ya?ml$/i.test(extname(file)) ? parseYaml(withoutBom, file) : parseJson5(withoutBom, file);
}

function parseJson5(text: string, file: string): ParsedText {
  let value: unknown;
  try {
    value = json5.parse(text);
  } catch (error) {
    throw syntaxError(file, json5Place(error), messageOf(error).replace(/^JSON5: /, ""));
  }
  let lines: ReadonlyMap<string, number> | undefined;
  return {
    value,
    lineOf(path) {
      lines ??= locateJson5Keys(text);
      for (let length = path.length; length > 0; length--) {
        const line = lines.get(JSON.stringify(path.slice(0, length).map(String)));
        if (line !== undefined) return line;
      }
      return undefined;
    },
  };
}

function json5Place(error: unknown): string {
  const { lineNumber, columnNumber } = error as { lineNumber?: number; columnNumber?: number };
  return lineNumber === undefined ? "" : `:${lineNumber}:${columnNumber ?? 1}`;
}

function parseYaml(text: string, file: string): ParsedText {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const first = document.errors[0];
  if (first !== undefined) {
    const { line, col } = counter.linePos(first.pos[0]);
    throw syntaxError(file, `:${line}:${col}`, first.message);
  }
  return {
    value: document.toJS({ maxAliasCount: 100 }) ?? {},
    lineOf(path) {
      const node = deepestKey(document.contents, path);
      return node?.range ? counter.linePos(node.range[0]).line : undefined;
    },
  };
}

/** The key (or list item) of the deepest part of the path; a value may begin on a later line than its key. */
function deepestKey(contents: Node | null, path: KeyPath): Node | undefined {
  let at: unknown = contents;
  let found: Node | undefined;
  for (const part of path) {
    const pair = isMap(at)
      ? at.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      : undefined;
    const value: unknown = pair?.value ?? (isCollection(at) && !isMap(at) ? at.get(part, true) : undefined);
    const named = pair?.key ?? value;
    if (!isNode(named)) break;
    found = named;
    at = value;
  }
  return found;
}

function syntaxError(file: string, place: string, reason: string): CodeModeError {
  return new CodeModeError("invalid_input", `${file}${place}: ${reason}. Correct the syntax of the file there.`);
}
