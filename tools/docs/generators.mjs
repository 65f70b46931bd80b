import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What the docs may hold as generated parts, by name; each gives Markdown. */
export const generators = {
  /** The limits table of the contract: `limits [name…]`, all of them without names. */
  async limits(root, names) {
    const { codeModeLimits } = await contractOf(root);
    const chosen = Object.entries(codeModeLimits).filter(([name]) => names.length === 0 || names.includes(name));
    return table(
      ["option", "default", "range", "what it bounds"],
      chosen.map(([name, limit]) => [
        `\`${name}\``,
        amount(limit.default, limit.unit),
        `${amount(limit.min, limit.unit)} – ${amount(limit.max, limit.unit)}`,
        limit.description + (limit.global ? " Set once for the process." : ""),
      ]),
    );
  },

  /** The codes of a failed cell, each a link to its entry. */
  async "error-codes"(root) {
    const { codeModeErrorCodes } = await contractOf(root);
    return codeModeErrorCodes.map((code) => `- [\`${code}\`](#${code})`).join("\n");
  },

  /** What `codemode <command> --help` prints. */
  async "cli-help"(root, command) {
    return `\`\`\`text\n${codemode(root, [...command, "--help"]).trim()}\n\`\`\``;
  },

  /** Every key of the configuration file, from the schema the gateway itself checks with. */
  async "config-keys"(root) {
    const schema = JSON.parse(codemode(root, ["config", "schema"]));
    return table(["key", "type", "default", "meaning"], keysOf(schema, schema, ""));
  },
};

async function contractOf(root) {
  return import(pathToFileURL(join(root, "packages/contract/dist/index.js")).href);
}

function codemode(root, args) {
  const bin = join(root, "apps/gateway/bin/codemode.js");
  const env = { ...process.env, NO_COLOR: "1", COLUMNS: "80" };
  const { status, error, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: "utf8", env });
  if (error) throw error;
  if (status !== 0) throw new Error(`codemode ${args.join(" ")} ended with exit code ${status}: ${stderr.trim()}`);
  return stdout;
}

function keysOf(schema, whole, prefix) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const key = `${prefix}${name}`;
    const inner = resolveReference(child, whole);
    if (inner.properties !== undefined) return keysOf(inner, whole, `${key}.`);
    const standard = inner.default === undefined ? "" : `\`${JSON.stringify(inner.default)}\``;
    return [[`\`${key}\``, typeOf(inner), standard, inner.description ?? child.description ?? ""]];
  });
}

function resolveReference(schema, whole) {
  if (typeof schema.$ref !== "string") return schema;
  return schema.$ref
    .replace(/^#\//, "")
    .split("/")
    .reduce((node, part) => node[part], whole);
}

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ");
  return schema.const === undefined ? String(schema.type ?? "any") : `\`${JSON.stringify(schema.const)}\``;
}

const divisors = {
  bytes: [1024, ["bytes", "KiB", "MiB", "GiB"]],
  count: [1, [""]],
  ms: [1, ["ms"]],
  seconds: [1, ["s"]],
};

function amount(value, unit) {
  const [divisor, names] = divisors[unit];
  let step = 0;
  let rest = value;
  while (divisor > 1 && step + 1 < names.length && rest >= divisor && rest % divisor === 0) {
    rest /= divisor;
    step += 1;
  }
  return `${rest.toLocaleString("en")} ${names[step]}`.trim();
}

function table(head, rows) {
  const cells = (row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [cells(head), cells(head.map(() => "---")), ...rows.map(cells)].join("\n");
}
