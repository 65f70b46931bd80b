import { readFileSync } from "node:fs";

/** Scripts that are evaluated inside the VM; each is one expression. */
export type GuestSources = { readonly prelude: string; readonly lazy: { readonly [name: string]: string } };

/** The bundled guest scripts: read from the package when built, bundled on the fly when this file runs from source. */
export async function loadGuestSources(): Promise<GuestSources> {
  if (!import.meta.url.endsWith(".ts"))
    return JSON.parse(readFileSync(new URL("./guest-sources.json", import.meta.url), "utf8")) as GuestSources;
  const bundler = new URL("../scripts/bundle-guest.mjs", import.meta.url).href;
  const { bundleGuest } = (await import(bundler)) as { bundleGuest(): GuestSources };
  return bundleGuest();
}
