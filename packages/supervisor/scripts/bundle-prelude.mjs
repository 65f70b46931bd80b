// Writes dist/guest-sources.json, which the built package reads; from source the same bundle is made on the fly.
import { mkdirSync, writeFileSync } from "node:fs";
import { bundleGuest } from "./bundle-guest.mjs";

mkdirSync(new URL("../dist/", import.meta.url), { recursive: true });
writeFileSync(new URL("../dist/guest-sources.json", import.meta.url), JSON.stringify(bundleGuest()));
