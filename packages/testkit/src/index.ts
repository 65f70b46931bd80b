export { CallLog } from "./call-log.ts";
export { hookScriptsOf } from "./case-hooks.ts";
export { type CaseAbilities, needsOf } from "./case-needs.ts";
export { CaseRun, type CaseRunParts } from "./case-run.ts";
export { scopeOf } from "./case-scope.ts";
export { stepsOf } from "./case-steps.ts";
export type { BugCase, CaseOutcome, CaseReport, CaseStep, Observation, ToolCall } from "./case-types.ts";
export { CorruptibleStore } from "./corruptible-store.ts";
export { createDeclaredTools } from "./declared-tools.ts";
export { createFixtureTools } from "./fixture-tools.ts";
export { generateSource } from "./generate-source.ts";
export {
  type HostileOptions,
  type HostileProgram,
  judgeHostileProgram,
  parseHostilePrograms,
} from "./hostile-program.ts";
export { asList, isJsonObject } from "./json-guards.ts";
export { type Evidence, judge } from "./judge.ts";
export { parseCases } from "./load-cases.ts";
export { jsonContains, jsonEqual } from "./matchers/json-equal.ts";
export { type MatchContext, type Matcher, mismatch } from "./matchers/matcher.ts";
export { matchers } from "./matchers/matchers.ts";
export type { CaseMcp, ConnectCaseMcp } from "./mcp-cases/case-mcp.ts";
export { type CaseServerConfig, CaseServers } from "./mcp-cases/case-servers.ts";
export { type JournalEntry, ServerJournal } from "./mcp-cases/server-journal.ts";
export { type CaseServerSpec, type ServerBehaviour, serverSpecsOf } from "./mcp-cases/server-spec.ts";
export { resultFaults } from "./result-faults.ts";
export { type CaseCodeModeOptions, type CreateCaseCodeMode, type RunCaseOptions, runCase } from "./run-case.ts";
export { type ApprovalScript, type ScriptedAnswer, ScriptedApprovals } from "./scripted-approvals.ts";
export { type HookScript, type ScriptedHookAnswer, ScriptedHooks, type SeenHookEvent } from "./scripted-hooks.ts";
export { ToolJournal } from "./tool-journal.ts";
