import { createRequire } from "node:module";
import { dirname, sep } from "node:path";
import type { transformSync } from "amaro";
import type * as TypeScript from "typescript";

/** Removes types in place, or transforms what has no place to remove. */
export type TypeStripper = { readonly transformSync: typeof transformSync };

/** The compiler that lowers decorators; it is far larger and only loaded for them. */
export type TypeScriptApi = typeof TypeScript;

/** Loads compilers when a TypeScript cell needs them, never before (TS-2). */
export type CompilerLoader = {
  /** The stripper; Node's module cache keeps it. */
  loadStripper(): TypeStripper;
  /** Forgets the stripper's instance: a trap leaves its memory broken for good. */
  dropStripper(): void;
  loadLowering(): TypeScriptApi;
};

/** A loader that finds the compilers as dependencies of this package, also from a bundle of its dependents. */
export function createCompilerLoader(): CompilerLoader {
  return {
    loadStripper: () => packageRequire()("amaro") as TypeStripper,
    dropStripper: () => {
      const loaded = packageRequire();
      const directory = dirname(loaded.resolve("amaro")) + sep;
      for (const path of Object.keys(loaded.cache)) if (path.startsWith(directory)) delete loaded.cache[path];
    },
    loadLowering: () => packageRequire()("typescript") as TypeScriptApi,
  };
}

/** Made anew each time: a require function holds every module it loaded, dropped ones too. */
function packageRequire(): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve("@code-mode/transform/package.json"));
}
