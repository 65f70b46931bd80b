import { isDeepStrictEqual } from "node:util";
import { CodeModeError, type ModelTool } from "@code-mode/contract";
import type { RecordedCall, ReplayTurn } from "./to-replay-script.ts";

/**
 * The tools of a replayed turn: they run nothing and answer what was recorded, each recorded call once and in order.
 * Calls that were answered before they reached a tool (an unknown name, broken arguments) are passed over.
 */
export function createReplayTools({ tools, calls }: ReplayTurn): readonly ModelTool[] {
  const left: RecordedCall[] = [...calls];
  const answer = (name: string, input: unknown): RecordedCall["result"] => {
    const index = left.findIndex((call) => call.name === name && isDeepStrictEqual(call.input, input));
    const found = left[index];
    if (found === undefined)
      throw new CodeModeError("invalid_input", `the replay calls ${name} with arguments that were never recorded.`);
    left.splice(0, index + 1);
    return found.result;
  };
  return tools.map((name) => ({
    name,
    description: "Answers what was recorded.",
    inputSchema: { type: "object" },
    kind: name === "exec" || name === "wait" ? "control" : "direct",
    call: async (input) => answer(name, input),
  }));
}
