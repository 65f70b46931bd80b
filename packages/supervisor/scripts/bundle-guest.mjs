// Bundles the guest's TypeScript into the scripts that are evaluated inside the VM. Each script is one expression:
// the prelude evaluates to `installGuest`, a polyfill to the object of its globals.
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const guestFolder = fileURLToPath(new URL("../src/guest/", import.meta.url));

const entries = {
  prelude: 'export { installGuest as value } from "./prelude.ts";',
  url: 'import { createUrlClasses } from "./polyfills/url.ts"; export const value = createUrlClasses();',
  "text-encoding":
    'import { createTextCoders } from "./polyfills/text-encoding.ts"; export const value = createTextCoders();',
  "structured-clone":
    'import { createStructuredClone } from "./polyfills/structured-clone.ts"; export const value = { structuredClone: createStructuredClone() };',
};

/** `{ prelude, lazy: { url, … } }`: expression sources. */
export function bundleGuest() {
  const { prelude, ...lazy } = Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, bundle(text)]));
  return { prelude, lazy };
}

function bundle(contents) {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: guestFolder, loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "guestModule",
    target: "es2023",
    platform: "neutral",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  return `(()=>{${outputFiles[0].text};return guestModule.value})()`;
}
