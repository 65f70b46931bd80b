import type { Script } from "../provider/parse-script.ts";
import { demoProgram } from "./demo-program.ts";

/** The scripted model of the demo: one program, one wait, one answer made from the result. */
export const demoScript: Script = {
  model: "demo",
  steps: [
    {
      text: "I count the apples and look up their price at the same time.",
      toolCalls: [{ name: "exec", input: { language: "typescript", code: demoProgram } }],
    },
    { toolCalls: [{ name: "wait", input: { runId: "${results[0].runId}" } }] },
    {
      text: "The ${results[1].value.counted} apples at ${results[1].value.price} each are worth ${results[1].value.value}.",
    },
  ],
};
