// Bundles the worker's entry into one file: a fresh worker then starts with a single module load.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const packageRoot = new URL("../", import.meta.url);
const entry = fileURLToPath(new URL("src/worker-entry.ts", packageRoot));

if (existsSync(entry)) {
  await build({
    entryPoints: [entry],
    outfile: fileURLToPath(new URL("dist/worker-entry.js", packageRoot)),
    bundle: true,
    format: "esm",
    target: "node22",
    platform: "node",
    conditions: ["@code-mode/source"],
    // loaded on first need only: they bring a native helper, a WASM file or megabytes of compiler
    external: ["esbuild", "amaro", "typescript"],
    // CommonJS packages inside the bundle may call require
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
    },
    legalComments: "none",
    sourcemap: true,
    logLevel: "warning",
  });
} else {
  console.log("bundle-worker: src/worker-entry.ts does not exist yet, nothing to bundle");
}
