import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const page = "docs/errors.md";
const table = "packages/contract/src/error-codes.ts";

/** The faults of `docs/errors.md`: each code of the contract has a heading of its own there, and no other has. */
export async function checkErrorEntries(root) {
  if (!existsSync(join(root, table))) return [];
  const { codeModeErrorCodes } = await import(join(root, table));
  const text = existsSync(join(root, page)) ? readFileSync(join(root, page), "utf8") : "";
  const entries = [...text.matchAll(/^##+ `([a-z_]+)`/gm)].map((match) => match[1]);
  const missing = codeModeErrorCodes.filter((code) => !entries.includes(code));
  const unknown = entries.filter((code) => !codeModeErrorCodes.includes(code));
  return [
    ...missing.map((code) => `${page} has no entry for ${code}: add a heading "## \`${code}\`"`),
    ...unknown.map((code) => `${page} has an entry for ${code}, which ${table} does not know: remove it`),
  ];
}
