import { createHash } from "node:crypto";
import type { TemplateImage } from "@code-mode/bridge";
import type { GuestSources } from "./guest-sources.ts";
import { createEngine, type Engine } from "./thread/engine.ts";

/** Options of `buildTemplate`. */
export type TemplateOptions = { readonly memoryLimitBytes: number; readonly maxStackBytes: number };

/** A program of a hundred calls stays below it: a collection in the midst of it takes a tenth of its time. */
const maxGcThresholdBytes = 1024 * 1024;

const engineVersion = "3.7.0";

/**
 * Loads the engine once, installs the guest prelude and takes the image that every run starts from.
 * @throws Error when the engine is not the one this package knows
 */
export async function buildTemplate(
  module: object,
  sources: GuestSources,
  options: TemplateOptions,
): Promise<TemplateImage> {
  const engine = await createEngine(module, {
    ...options,
    interrupt: () => false,
    onRejection: () => undefined,
    reproducible: true,
  });
  assertVersion(engine);
  const host = engine.vm.newFunction("host", () => engine.vm.undefined);
  const install = engine.evaluate(sources.prelude, "prelude.js", 0);
  const entryPointer = engine.call(install, [host.ptr]);
  engine.setRandomState(1n);
  engine.vm.runGC();
  engine.setGcThreshold(Math.min(maxGcThresholdBytes, options.memoryLimitBytes / 4));
  const image = new Uint8Array(engine.memory.buffer);
  image.fill(0, 0, engine.stackPointer & ~3);
  const memory = new Uint8Array(new SharedArrayBuffer(image.length));
  memory.set(image);
  return {
    id: createHash("sha256").update(image).digest("hex").slice(0, 32),
    memory,
    stackPointer: engine.stackPointer,
    runtimePointer: engine.runtimePointer,
    contextPointer: engine.contextPointer,
    entryPointer,
  };
}

/** The layout of Math.random's state, and every raw export, are those of exactly one version. */
function assertVersion(engine: Engine): void {
  const found = engine.vm.versions["quickjs-wasi"];
  if (found !== engineVersion)
    throw new Error(`quickjs-wasi ${String(found)} is installed, exactly ${engineVersion} is needed`);
}
