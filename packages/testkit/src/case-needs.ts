import type { JsonValue } from "@code-mode/contract";
import { areKnownHooks } from "./case-hooks.ts";
import { stepsOf } from "./case-steps.ts";
import type { BugCase, CaseStep } from "./case-types.ts";
import { isHarnessAction } from "./harness-actions.ts";
import { asList, isJsonObject } from "./json-guards.ts";
import { deferred } from "./matchers/matchers.ts";
import { serverSpecsOf } from "./mcp-cases/server-spec.ts";

/** What the runner was given beside a `CodeMode`. */
export type CaseAbilities = {
  /** True where MCP servers of a case are started as processes. */
  readonly mcp?: boolean;
};

/** Parts of an input that only a gateway, a provider or a client can play. */
const foreignInputs: Readonly<Record<string, string>> = {
  request: "a request to the gateway",
  messages: "a conversation",
  providerStream: "a provider",
  provider: "a provider",
  history: "a provider",
  bytesSplitInside: "a provider",
  frontEnd: "a front end of the gateway",
  observe: "the model surface or a log",
  variants: "a provider",
  sessions: "the front ends of the gateway",
  requests: "the HTTP server",
  agents: "agents with tool sets of their own",
  projectFile: "a workspace",
};

/** Case inputs that `observe` only describes and the runner measures itself. */
const observedHere = /^(effective configuration|d\.ts of the tool.*)$/;

/** What a case needs beyond a `CodeMode`, fixture tools and scripted ports; empty if it can be judged here. */
export function needsOf(bugCase: BugCase, abilities: CaseAbilities = {}): readonly string[] {
  const { input, expected } = bugCase;
  const foreign = Object.keys(input)
    .filter((key) => key in foreignInputs && !observedHere.test(String(input[key])))
    .map((key) => `input.${key} needs ${foreignInputs[key]}`);
  if (foreign.length > 0) return foreign;
  const hooks = areKnownHooks(input.hooks) ? [] : ["input.hooks needs plugin hooks"];
  const steps = [...configNeeds(bugCase), ...serverNeeds(bugCase, abilities), ...stepsOf(bugCase).flatMap(stepNeeds)];
  return [...hooks, ...steps, ...expectationNeeds(expected)];
}

function configNeeds({ input }: BugCase): readonly string[] {
  const config = isJsonObject(input.config) ? Object.keys(input.config) : [];
  return config
    .filter((key) => key === "tools" || key === "mcpServers")
    .map((key) => `config.${key} needs the gateway's policy and configuration`);
}

function serverNeeds({ input }: BugCase, abilities: CaseAbilities): readonly string[] {
  if (abilities.mcp === true) return canServe(input.mcpServers) ? [] : ["input.mcpServers needs prose played by hand"];
  const servers = isJsonObject(input.mcpServers) ? Object.values(input.mcpServers) : [];
  const inProcess = servers.every((tools) => Array.isArray(tools) && tools.every((tool) => isJsonObject(tool)));
  return inProcess ? [] : ["input.mcpServers needs an MCP server process"];
}

function canServe(mcpServers: JsonValue | undefined): boolean {
  try {
    serverSpecsOf(mcpServers === undefined ? {} : { mcpServers });
    return true;
  } catch {
    return false;
  }
}

function stepNeeds(step: CaseStep): readonly string[] {
  if (step.kind === "parallel") return step.steps.flatMap(stepNeeds);
  if (step.kind !== "harness" || isHarnessAction(step.action)) return [];
  return [`harness: ${step.action}`];
}

/** Expectations of the case itself and of its steps; those of alternatives are decided when they are judged. */
function expectationNeeds(expected: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(expected)) return [];
  const own = Object.keys(expected)
    .filter((key) => deferred.has(key))
    .map((key) => `expected.${key} needs a running gateway`);
  return [...own, ...asList(expected.steps).flatMap(expectationNeeds)];
}
