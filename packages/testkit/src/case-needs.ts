import { stepsOf } from "./case-steps.ts";
import type { BugCase, CaseStep } from "./case-types.ts";
import { isHarnessAction } from "./harness-actions.ts";
import { isJsonObject } from "./json-guards.ts";

/** Parts of an input that only a gateway, a provider, a client or an MCP process can play. */
const foreignInputs: Readonly<Record<string, string>> = {
  hooks: "plugin hooks",
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
const observedHere = new Set(["effective configuration"]);

/** What a case needs beyond a `CodeMode` and fixture tools; empty if it can be judged here. */
export function needsOf(bugCase: BugCase): readonly string[] {
  const { input } = bugCase;
  const foreign = Object.keys(input)
    .filter((key) => key in foreignInputs && !observedHere.has(String(input[key])))
    .map((key) => `input.${key} needs ${foreignInputs[key]}`);
  if (foreign.length > 0) return foreign;
  return [...configNeeds(bugCase), ...serverNeeds(bugCase), ...stepsOf(bugCase).flatMap(stepNeeds)];
}

function configNeeds({ input }: BugCase): readonly string[] {
  const config = isJsonObject(input.config) ? Object.keys(input.config) : [];
  return config
    .filter((key) => key === "tools" || key === "mcpServers")
    .map((key) => `config.${key} needs the gateway's policy and configuration`);
}

function serverNeeds({ input }: BugCase): readonly string[] {
  const servers = isJsonObject(input.mcpServers) ? Object.values(input.mcpServers) : [];
  const inProcess = servers.every((tools) => Array.isArray(tools) && tools.every((tool) => isJsonObject(tool)));
  return inProcess ? [] : ["input.mcpServers needs an MCP server process"];
}

function stepNeeds(step: CaseStep): readonly string[] {
  switch (step.kind) {
    case "harness":
      return isHarnessAction(step.action) ? [] : [`harness: ${step.action}`];
    case "parallel":
      return step.steps.flatMap(stepNeeds);
    case "exec":
      return /\bapprove_me\b/.test(String(step.input.code)) ? ["approve_me needs somebody who approves"] : [];
    case "wait":
    case "waitLoop":
      return [];
  }
}
