import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const commands = {
  js: [process.execPath, "--input-type=module", "-"],
  javascript: [process.execPath, "--input-type=module", "-"],
  ts: [process.execPath, "--input-type=module-typescript", "-"],
  typescript: [process.execPath, "--input-type=module-typescript", "-"],
  sh: ["sh", "-e"],
};

/**
 * Runs every block whose fence says `runnable` (```ts runnable) against the built packages. A block right after it
 * whose fence says `output` (```text output) must be exactly what it printed.
 */
export function checkRunnable(root, page) {
  return page.blocks.flatMap((block, index) => {
    if (!block.words.includes("runnable")) return [];
    const next = page.blocks[index + 1];
    const fault = runFault(root, page.path, block, next?.words.includes("output") ? next.code : undefined);
    return fault ? [`${page.path}:${block.line} the runnable block ${fault}`] : [];
  });
}

function runFault(root, page, { words, code }, expected) {
  const command = commands[words[0]];
  if (command === undefined) return `is marked "${words[0]}": only ${Object.keys(commands).join(", ")} can run`;
  const cwd = words[0] === "sh" ? root : packageFolderOf(root, page);
  const { status, error, stdout, stderr } = spawnSync(command[0], command.slice(1), {
    cwd,
    input: code,
    encoding: "utf8",
    timeout: 60_000,
  });
  if (error) return `did not end: ${error.message}`;
  if (status !== 0) return `ended with exit code ${status}:\n${stderr.trimEnd()}`;
  if (expected === undefined || stdout.trimEnd() === expected.trimEnd()) return undefined;
  return `printed\n${stdout.trimEnd()}\nbut the page says\n${expected.trimEnd()}`;
}

/** Imports resolve from here: the page's own package, and for pages outside a package the gateway, which sees all. */
function packageFolderOf(root, page) {
  for (let folder = dirname(page); folder !== "."; folder = dirname(folder)) {
    const manifest = join(root, folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name?.startsWith("@code-mode/"))
      return join(root, folder);
  }
  const gateway = join(root, "apps/gateway");
  return existsSync(gateway) ? gateway : root;
}
