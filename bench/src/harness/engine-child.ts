import { collectGarbage } from "./collect-garbage.ts";
import { createEngine } from "./create-engine.ts";
import type { EngineName, Sample, TaskRequest } from "./engine.ts";
import { type EngineTaskName, engineTasks } from "./engine-tasks.ts";
import { serveRequests } from "./serve-requests.ts";

// Entry of the process that holds one engine of a comparison: `engine-child.ts ours|run`.
const engine = createEngine(process.argv[2] as EngineName);

serveRequests<TaskRequest & { task: EngineTaskName }, Sample>(async ({ task, ...request }) => {
  const ready = await engine;
  collectGarbage();
  const sample = await engineTasks[task](ready, request);
  ready.assertCounts();
  return sample;
});
