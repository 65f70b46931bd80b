// Bundles the guest prelude into the one classic script that is evaluated inside the VM.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const packageRoot = new URL("../", import.meta.url);
const entry = fileURLToPath(new URL("src/guest/prelude.ts", packageRoot));

if (existsSync(entry)) {
  await build({
    entryPoints: [entry],
    outfile: fileURLToPath(new URL("dist/prelude.js", packageRoot)),
    bundle: true,
    format: "iife",
    target: "es2023",
    platform: "neutral",
    conditions: ["@code-mode/source"],
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
} else {
  console.log("bundle-prelude: src/guest/prelude.ts does not exist yet, nothing to bundle");
}
