import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildCatalog, type DeclarationFile, mcpDeclarations } from "@code-mode/catalog";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Benchmark, BenchRow } from "./harness/bench-context.ts";
import { emptyRow, formatMs, limitRow } from "./harness/bench-rows.ts";
import { catalogsMissing, catalogTools, loadCatalogs, type RecordedServer } from "./harness/load-catalogs.ts";

const errorsTitle = {
  id: "B14",
  what: "tsc --strict errors of all MCP declarations, whole files and single tools",
  must: "0",
};
const tokensTitle = { id: "B14b", what: "tokens of the declarations against the recorded tools/list", must: "≤ 61 %" };

const maxShare = 0.61;
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

/** B14: declarations of every recorded tool compile and are shorter than what they are made from. */
export const declarations: Benchmark = {
  titles: [errorsTitle, tokensTitle],
  async measure() {
    const servers = loadCatalogs();
    if (servers === undefined)
      return [errorsTitle, tokensTitle].map((title) => emptyRow(title, "skipped", catalogsMissing));
    const tools = catalogTools(servers);
    const from = performance.now();
    const files = mcpDeclarations({ tools });
    const printMs = performance.now() - from;
    return [errorsRow([...files.map(({ text }) => text), ...servedFiles(tools)], printMs), tokensRow(servers, files)];
  },
};

/** What `API.read` serves: an index instead of a long server file, and a file for each tool. */
function servedFiles(tools: ReturnType<typeof catalogTools>): string[] {
  const catalog = buildCatalog({ tools });
  const serverFiles = catalog.listApi("mcp").map(({ path }) => path);
  const toolFiles = serverFiles
    .slice(1)
    .flatMap((path) => catalog.listApi(path.replace(/\.d\.ts$/, "/")).map((file) => file.path));
  return [...serverFiles, ...toolFiles].map((path) => catalog.readApi(path));
}

function errorsRow(texts: readonly string[], printMs: number): BenchRow {
  const errors = compileErrors(texts);
  const text = `${errors.length} in ${texts.length} files (printed in ${formatMs(printMs)})`;
  return limitRow(
    errorsTitle,
    { text, fits: errors.length === 0 },
    { errors: errors.length, files: texts.length, printMs },
  );
}

function tokensRow(servers: readonly RecordedServer[], files: readonly DeclarationFile[]): BenchRow {
  const raw = servers.reduce((sum, { tools }) => sum + countTokens(JSON.stringify(tools)), 0);
  const declared = files.reduce((sum, { text }) => sum + countTokens(text), 0);
  const share = declared / raw;
  return limitRow(
    tokensTitle,
    {
      text: `${(share * 100).toFixed(1)} % (${declared.toLocaleString("en")} of ${raw.toLocaleString("en")})`,
      fits: share <= maxShare,
    },
    { raw, declared, share },
  );
}

/** Each text becomes a module of its own, so that equal names do not meet. */
function compileErrors(texts: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "bench-declarations-"));
  try {
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `f${index}.d.ts`), `${text}export {};\n`);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: "es2022",
      lib: ["es2022"],
      types: [],
      skipLibCheck: false,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.d.ts"] }));
    execFileSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 64 * 1024 * 1024,
    });
    return [];
  } catch (error) {
    return (
      (error as { stdout?: string }).stdout?.split("\n").filter((line) => line.includes("error TS")) ?? [String(error)]
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
