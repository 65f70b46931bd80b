import type { JsonObject, JsonValue } from "@code-mode/contract";
import type { BugCase, CaseStep } from "./case-types.ts";
import { generateSource } from "./generate-source.ts";
import { asList, isJsonObject } from "./json-guards.ts";

/** Of a `harness` step that ends the program before it. */
const abortProse = /^abort run after (\d+) ms$/;

/** The steps of a case in one form; a case without steps is one `exec`, one per generator, or one configuration check. */
export function stepsOf({ input }: BugCase): readonly CaseStep[] {
  if (input.steps !== undefined) return withAborts(asList(input.steps).map(stepOf));
  if (input.codeGenerators !== undefined)
    return asList(input.codeGenerators).map((codeGenerator) => execStep({ codeGenerator }));
  if (input.configs !== undefined) return [{ kind: "harness", action: "resolve configs" }];
  if (/^d\.ts of the tool/.test(String(input.observe)) && isJsonObject(input.mcpServers))
    return Object.keys(input.mcpServers).map(declarationStep);
  const { code, codeGenerator, language } = input;
  const fields = Object.entries({ code, codeGenerator, language }).filter(([, value]) => value !== undefined);
  return [execStep(Object.fromEntries(fields) as JsonObject)];
}

function stepOf(step: JsonValue): CaseStep {
  if (!isJsonObject(step)) throw new TypeError(`a step is an object, found ${JSON.stringify(step)}`);
  if (typeof step.harness === "string") return { kind: "harness", action: step.harness };
  if (step.waitLoop !== undefined) return { kind: "waitLoop" };
  if (step.parallel !== undefined) return { kind: "parallel", steps: asList(step.parallel).map(stepOf) };
  if (isJsonObject(step.wait)) {
    const { runId, session } = step.wait;
    return { kind: "wait", runId: String(runId), ...(session === undefined ? {} : { session: String(session) }) };
  }
  if (typeof step.exec === "string") return execStep({ code: step.exec });
  return execStep(isJsonObject(step.exec) ? step.exec : step);
}

/** Whoever aborts a run does so while its program runs. */
function withAborts(steps: readonly CaseStep[]): readonly CaseStep[] {
  return steps.map((step, index) => {
    const next = steps[index + 1];
    const abort = next?.kind === "harness" ? abortProse.exec(next.action) : null;
    return abort === null || step.kind !== "exec" ? step : { ...step, abortAfterMs: Number(abort[1]) };
  });
}

function declarationStep(server: string): CaseStep {
  return execStep({ code: `return await API.read(${JSON.stringify(`mcp/${server}.d.ts`)});` });
}

function execStep(fields: JsonObject): CaseStep {
  const { codeGenerator, session, ...rest } = fields;
  const input = codeGenerator === undefined ? rest : { ...rest, code: generateSource(String(codeGenerator)) };
  return { kind: "exec", input, ...(session === undefined ? {} : { session: String(session) }) };
}
