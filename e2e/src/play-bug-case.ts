import { type BugCase, type CaseReport, needsOf, runCase } from "@code-mode/testkit";
import { connectCaseMcp } from "./connect-case-mcp.ts";
import { createCaseCodeMode } from "./create-case-code-mode.ts";
import { isGatewayCase, runGatewayCase } from "./gateway-cases/run-gateway-case.ts";

/** Where a case is played: at the runtime with scripted ports and MCP processes, at a gateway process, or nowhere yet. */
export function stageOf(bugCase: BugCase): "runtime" | "gateway" | "nowhere" {
  if (needsOf(bugCase, { mcp: true }).length === 0) return "runtime";
  return isGatewayCase(bugCase) ? "gateway" : "nowhere";
}

/** Plays a case on its stage and judges it. */
export function playBugCase(bugCase: BugCase, timeScale = 1): Promise<CaseReport> {
  return stageOf(bugCase) === "gateway"
    ? runGatewayCase(bugCase, timeScale)
    : runCase(bugCase, { create: createCaseCodeMode, connectMcp: connectCaseMcp, timeScale });
}
