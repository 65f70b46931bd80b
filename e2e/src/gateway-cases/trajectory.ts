import type { JsonObject, JsonValue } from "@code-mode/contract";
import { isJsonObject } from "@code-mode/testkit";
import type { CaseGateway } from "./case-gateway.ts";

/** A nested call as the export shows it. */
export type ExportedCall = {
  readonly tool: string;
  readonly status: "ok" | "error";
  readonly error: string;
  readonly parentId: string;
};

/** An exported session, read. */
export type Trajectory = {
  readonly text: string;
  /** False when a line is no JSON object. */
  readonly parses: boolean;
  readonly events: readonly JsonObject[];
  /** Programs that were started, with the tool call they belong to. */
  readonly cells: readonly { readonly id: string; readonly code: string }[];
  readonly calls: readonly ExportedCall[];
};

/** Exports a session of the gateway. */
export async function trajectoryOf(gateway: CaseGateway, sessionId: string): Promise<Trajectory> {
  return readTrajectory(await gateway.trajectory(sessionId));
}

/** Reads the text of an export. */
export function readTrajectory(text: string): Trajectory {
  const lines = text.split("\n").filter((line) => line !== "");
  const values = lines.map(parsedLine);
  const events = values.filter(isJsonObject);
  const started = events.filter(({ type }) => type === "cell_started");
  return {
    text,
    parses: values.length > 0 && events.length === values.length,
    events,
    cells: started.map(({ id, code }) => ({ id: String(id), code: String(code) })),
    calls: events.filter(({ type }) => type === "call_ended").map(readCall),
  };
}

/** True if the export holds this text, as JSON text or inside one of its strings. */
export function exportHas({ text, events }: Trajectory, wanted: string): boolean {
  return text.includes(wanted) || events.some((event) => stringsOf(event).some((found) => found.includes(wanted)));
}

/** A call failed when it rejected, or when an MCP server said so in its result. */
function readCall({ toolId, outcome, parentId }: JsonObject): ExportedCall {
  const facts = isJsonObject(outcome) ? outcome : {};
  const value = isJsonObject(facts.value) ? facts.value : {};
  const failed = facts.ok !== true || value.isError === true;
  const error = isJsonObject(facts.error) ? String(facts.error.message) : "";
  return {
    tool: String(toolId).split(":").at(-1) ?? "",
    status: failed ? "error" : "ok",
    error,
    parentId: String(parentId),
  };
}

function stringsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

function parsedLine(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
}
