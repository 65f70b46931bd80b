import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

/** What `tsc --strict` says about these files, one error per line; nothing when they compile. Starts the compiler once. */
export function compileErrors(files: { readonly [name: string]: string }): string[] {
  const folder = mkdtempSync(join(tmpdir(), "catalog-declarations-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const options = [
      "--noEmit",
      "--strict",
      "--target",
      "es2022",
      "--lib",
      "es2022",
      "--types",
      "",
      "--skipLibCheck",
      "false",
      "--pretty",
      "false",
    ];
    execFileSync(process.execPath, [compiler, ...options, ...Object.keys(files)], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
    return [];
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
