import { createHash } from "node:crypto";
import type { TemplateImage } from "@code-mode/bridge";
import type { GuestSources } from "./guest-sources.ts";
import { createEngine, type Engine } from "./thread/engine.ts";

/** Options of `buildTemplate`. */
export type TemplateOptions = { readonly memoryLimitBytes: number; readonly maxStackBytes: number };

const probeState = 0x0123_4567_89ab_cdefn;

/**
 * Loads the engine once, installs the guest prelude and takes the image that every run starts from.
 * @throws Error when the engine is not the one this package knows
 */
export async function buildTemplate(
  module: object,
  sources: GuestSources,
  options: TemplateOptions,
): Promise<TemplateImage> {
  const engine = await createEngine(module, { ...options, interrupt: () => false, onRejection: () => undefined });
  assertRandomState(engine);
  const host = engine.vm.newFunction("host", () => engine.vm.undefined);
  const install = engine.evaluate(sources.prelude, "prelude.js", 0);
  const entryPointer = engine.call(install, [host.ptr]);
  engine.setRandomState(1n);
  engine.vm.runGC();
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

/** Two draws from one written state must agree: else the layout is another and runs would repeat each other's randomness. */
function assertRandomState(engine: Engine): void {
  const draw = (): string => {
    engine.setRandomState(probeState);
    const value = engine.evaluate("String(Math.random())", "probe.js", 0);
    return engine.withUtf8(value, (bytes) => bytes.toString("latin1")) ?? "";
  };
  const first = draw();
  if (first === "" || first !== draw())
    throw new Error(
      "Math.random's state is not where version 3.7.0 of quickjs-wasi keeps it: install exactly that version",
    );
}
