import { createEngine } from "./create-engine.ts";
import type { EngineName } from "./engine.ts";
import { serveRequests } from "./serve-requests.ts";

// Entry of a process that lives for one first cell: `cold-start-child.ts ours|run`.
serveRequests<{ source: string }, { ms: number; value: unknown }>(async ({ source }) => {
  const from = performance.now();
  const engine = await createEngine(process.argv[2] as EngineName);
  const value = await engine.runCell(source);
  return { ms: performance.now() - from, value };
});
