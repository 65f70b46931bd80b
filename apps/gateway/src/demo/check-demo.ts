import { demoAnswer } from "./demo-program.ts";
import type { DemoReport } from "./run-demo.ts";

/** What did not go as planned, one line each; empty when the turn is as it must be. */
export function checkDemo(report: DemoReport): readonly string[] {
  const [exec, wait, ...rest] = report.controls;
  const slow = report.calls.filter(({ toolId }) => toolId === "openclaw:sample:warehouse_count");
  const visible = report.visibleTools.map((names) => [...names].sort().join(", "));
  const checks: readonly (readonly [boolean, string])[] = [
    [visible.length === 3, `the model got ${visible.length} requests instead of 3`],
    [visible.every((names) => names === "exec, wait"), `the model saw ${visible.join(" / ")} instead of exec, wait`],
    [
      exec?.name === "exec" && exec.result.status === "waiting",
      `exec came back ${exec?.result.status} instead of waiting`,
    ],
    [
      wait?.name === "wait" && wait.result.status === "completed",
      `wait came back ${wait?.result.status} instead of completed`,
    ],
    [rest.length === 0, "there were more than two tool calls"],
    [slow.length === 1 && slow[0]?.ok === true, `the slow tool ran ${slow.length} times instead of once`],
    [report.calls.some(({ toolId, ok }) => toolId.startsWith("mcp:filesystem:") && ok), "no filesystem call went well"],
    [report.calls.some(({ toolId, ok }) => toolId.startsWith("mcp:everything:") && ok), "no everything call went well"],
    [report.answer.includes(demoAnswer), `the answer does not say "${demoAnswer}"`],
  ];
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}
