import type { CodeModeResult, JsonObject } from "@code-mode/contract";
import type { BugCase } from "@code-mode/testkit";
import { stepsOf } from "@code-mode/testkit";
import type { CaseGateway, TurnEnd } from "./case-gateway.ts";
import { cellResultOf } from "./provider-request.ts";

/** A turn in which the model runs one program. */
export type ExecTurn = { readonly result: CodeModeResult | undefined; readonly end: TurnEnd };

/** Lets the model call `exec` once with this input, and reads what it was answered off the next request. */
export async function execTurn(gateway: CaseGateway, input: JsonObject, request: JsonObject = {}): Promise<ExecTurn> {
  const before = gateway.requests.length;
  gateway.provider.say({ calls: [{ id: `call${before}`, name: "exec", input }] });
  const end = await gateway.turn(String(request.session ?? "s"), turnRequest(request));
  const answered = gateway.requests[before + 1]?.messages.findLast(({ results }) => results.length > 0);
  const sent = answered?.results.at(-1);
  return { result: sent === undefined ? undefined : cellResultOf(sent), end };
}

/** The input of the first program of a case. */
export function programOf(bugCase: BugCase): JsonObject {
  const exec = stepsOf(bugCase).find((step) => step.kind === "exec");
  if (exec === undefined) throw new TypeError(`${bugCase.id} has no program`);
  return exec.input;
}

function turnRequest({ session: _session, ...request }: JsonObject): JsonObject {
  return { message: "go", ...request };
}
