// The docs against the project: links resolve, blocks marked `runnable` run, generated parts are fresh, every
// error code has its entry. Needs a build. `--write` refreshes generated parts; `--root <folder>` checks another tree.
import { globSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkErrorEntries } from "./docs/check-error-entries.mjs";
import { checkGenerated } from "./docs/check-generated.mjs";
import { checkLinks } from "./docs/check-links.mjs";
import { checkRunnable } from "./docs/check-runnable.mjs";
import { readPage } from "./docs/read-page.mjs";

const skipped = /(^|\/)(node_modules|dist|\.turbo|\.results|\.git|\.changeset|fixtures)(\/|$)/;

async function checkTree(root, { write }) {
  const paths = globSync("**/*.md", { cwd: root, exclude: (path) => skipped.test(path) });
  const pages = paths
    .filter((path) => !skipped.test(path))
    .sort()
    .map((path) => readPage(root, path));
  const faults = await checkErrorEntries(root);
  for (const page of pages) {
    faults.push(
      ...checkLinks(root, page),
      ...(await checkGenerated(root, page, { write })),
      ...checkRunnable(root, page),
    );
  }
  return { faults, pages: pages.length };
}

const { values } = parseArgs({
  options: {
    root: { type: "string", default: join(dirname(fileURLToPath(import.meta.url)), "..") },
    write: { type: "boolean", default: false },
  },
});
const { faults, pages } = await checkTree(resolve(values.root), { write: values.write });
for (const fault of faults) console.error(fault);
console.log(`docs: ${faults.length} faults on ${pages} pages`);
process.exitCode = faults.length === 0 ? 0 : 1;
