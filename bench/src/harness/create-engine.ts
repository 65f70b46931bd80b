import type { Engine, EngineName } from "./engine.ts";

/** Loads and creates one engine: only the one that is measured is ever loaded into a process. */
export async function createEngine(name: EngineName): Promise<Engine> {
  if (name === "ours") return (await import("./our-engine.ts")).createOurEngine();
  return (await import("./run-engine.ts")).createRunEngine();
}
