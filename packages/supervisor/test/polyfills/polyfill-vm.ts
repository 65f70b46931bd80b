import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { QuickJS } from "quickjs-wasi";
import { loadGuestSources } from "../../src/guest-sources.ts";

const wasm = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));

/** A fresh engine with all polyfills as globals, each from the script that ships; `run` gives an expression's JSON. */
export async function createPolyfillVm(): Promise<{ run(expression: string): unknown } & Disposable> {
  const vm = await QuickJS.create({ wasm, memoryLimit: 64 * 1024 * 1024, maxStackSize: 256 * 1024 });
  const { lazy } = await loadGuestSources();
  const evaluate = (code: string): string => {
    using result = vm.evalCode(code);
    return result.toString();
  };
  evaluate("Object.preventExtensions(Object.prototype)");
  for (const source of Object.values(lazy)) evaluate(`Object.assign(globalThis, ${source})`);
  return {
    run: (expression) => JSON.parse(evaluate(`JSON.stringify(${expression})`)) as unknown,
    [Symbol.dispose]: () => vm.dispose(),
  };
}
