// Joins the modules of the main entry into one file: a fresh process then loads one instead of dozens. Other packages
// stay imports, so that every package has one copy of its classes.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const entry = fileURLToPath(new URL("../dist/index.js", import.meta.url));

await build({
  entryPoints: [entry],
  outfile: entry,
  allowOverwrite: true,
  bundle: true,
  packages: "external",
  format: "esm",
  target: "node22",
  platform: "node",
  legalComments: "none",
  sourcemap: true,
  logLevel: "warning",
});
