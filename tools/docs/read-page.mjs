import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One Markdown page: its text, its fenced blocks, and its text with all code blanked out (line numbers kept). */
export function readPage(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  return { path, text, blocks: fencesOf(text), prose: proseOf(text) };
}

const fence = /^( *)(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)^\1\2[^\S\n]*$/gm;

function fencesOf(text) {
  return [...text.matchAll(fence)].map((match) => ({
    words: match[3].trim().split(/\s+/),
    code: match[4],
    line: lineAt(text, match.index),
  }));
}

function proseOf(text) {
  const blank = (code) => code.replace(/[^\n]/g, " ");
  return text
    .replace(fence, blank)
    .replace(/(`+)[^`\n]+?\1/g, blank)
    .replace(/<!--[\s\S]*?-->/g, blank);
}

/** The line, counted from one, on which `index` of `text` stands. */
export function lineAt(text, index) {
  return text.slice(0, index).split("\n").length;
}
