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
  intl: 'import { createIntl } from "./polyfills/intl/create-intl.ts"; export const value = { Intl: createIntl() };',
  "locale-numbers":
    'import { createLocaleNumbers } from "./polyfills/intl/locale-numbers.ts"; export const value = { methods: createLocaleNumbers() };',
  "locale-dates":
    'import { createLocaleDates } from "./polyfills/intl/locale-dates.ts"; export const value = { methods: createLocaleDates() };',
  "locale-compare":
    'import { createLocaleCompare } from "./polyfills/intl/locale-compare.ts"; export const value = { methods: createLocaleCompare() };',
};

/** `{ prelude, lazy: { url, … } }`: expression sources. */
export function bundleGuest() {
  const { prelude, ...lazy } = Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, bundle(text)]));
  return { prelude, lazy };
}

/** ESM, with its export made a return: the helpers of other formats iterate arrays, which a program may have patched. */
function bundle(contents) {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: guestFolder, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2023",
    platform: "neutral",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  const text = outputFiles[0].text.replace(/export\{([\w$]+) as value\};\s*$/, "return $1");
  return `(()=>{${text}})()`;
}
