import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generators } from "./generators.mjs";
import { lineAt } from "./read-page.mjs";

const region = /<!-- generated: ([^\n]+?) -->\n[\s\S]*?<!-- \/generated -->/g;

/**
 * The faults of a page's generated parts (`<!-- generated: limits -->` … `<!-- /generated -->`): each holds what its
 * generator gives now. With `write`, stale parts are rewritten instead.
 */
export async function checkGenerated(root, page, { write }) {
  const faults = [];
  let fresh = page.text;
  for (const match of page.text.matchAll(region)) {
    const [name, ...args] = match[1].split(" ");
    const generate = generators[name];
    if (generate === undefined) {
      faults.push(`${at(page, match)} no generator "${name}": use ${Object.keys(generators).join(", ")}`);
      continue;
    }
    const wanted = `<!-- generated: ${match[1]} -->\n\n${(await generate(root, args)).trim()}\n\n<!-- /generated -->`;
    if (wanted === match[0]) continue;
    if (write) fresh = fresh.replace(match[0], () => wanted);
    else faults.push(`${at(page, match)} the generated part "${match[1]}" is stale: run pnpm docs:write`);
  }
  if (fresh !== page.text) writeFileSync(join(root, page.path), fresh);
  return faults;
}

function at(page, match) {
  return `${page.path}:${lineAt(page.text, match.index)}`;
}
