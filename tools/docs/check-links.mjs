import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { lineAt } from "./read-page.mjs";

/** The faults of a page's links: each relative link leads to a file, and to a heading of it when it names one. */
export function checkLinks(root, page) {
  return linksOf(page.prose).flatMap(({ target, line }) => {
    const fault = linkFault(root, page.path, target);
    return fault ? [`${page.path}:${line} the link (${target}) ${fault}`] : [];
  });
}

function linksOf(prose) {
  const inline = prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const reference = prose.matchAll(/^\[[^\]]+\]:\s*<?([^\s>]+)>?/gm);
  return [...inline, ...reference].map((match) => ({ target: match[1], line: lineAt(prose, match.index) }));
}

function linkFault(root, page, target) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [path, anchor] = target.split("#", 2);
  const file = path === "" ? join(root, page) : resolve(join(root, dirname(page)), decodeURIComponent(path));
  if (relative(root, file).startsWith("..")) return "leaves the repository: give a path inside it";
  if (!existsSync(file)) return "leads to no file: mend the path or write the page";
  if (!anchor || statSync(file).isDirectory() || !file.endsWith(".md")) return undefined;
  if (anchorsOf(readFileSync(file, "utf8")).has(decodeURIComponent(anchor))) return undefined;
  return `leads to no heading "#${anchor}" of ${relative(root, file)}: mend the anchor or the heading`;
}

/** The anchors a page offers, made as the usual hosts make them from headings. */
function anchorsOf(text) {
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)];
  const named = [...text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map((match) => match[1]);
  const seen = new Map();
  const slugs = headings.map(([, heading]) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set([...slugs, ...named]);
}

function slugOf(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
