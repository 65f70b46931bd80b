export { needsOf } from "./case-needs.ts";
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
export { type Evidence, judge } from "./judge.ts";
export { parseCases } from "./load-cases.ts";
export { matchers } from "./matchers/matchers.ts";
export { resultFaults } from "./result-faults.ts";
export { type CaseCodeModeOptions, type CreateCaseCodeMode, type RunCaseOptions, runCase } from "./run-case.ts";
export { ToolJournal } from "./tool-journal.ts";
