import { CodeModeError } from "@code-mode/contract";
import { type PayloadFormat, payloadEntries, payloadFormats } from "./payload-entries.ts";

const controls = ["exec", "wait"] as const;

/**
 * Proves right before sending that a model request holds exactly one `exec`, one `wait` and otherwise only the
 * direct-only tools retained at activation, each at most once (SUR-3). Whatever is not understood is an offender.
 * @param body the request as it goes on the wire: JSON text or the parsed object
 * @param directNames names of the retained direct-only tools
 * @throws CodeModeError `internal_error` that names the offenders; the request must not be sent
 */
export function assertPayload(format: PayloadFormat, body: unknown, directNames: Iterable<string>): void {
  const offenders = findOffenders(format, body, new Set(directNames));
  if (offenders.length === 0) return;
  throw new CodeModeError(
    "internal_error",
    `The model request was not sent: with code mode active it may hold only one exec, one wait and the retained direct-only tools, but ${offenders.join("; ")}. Look for a hook or provider option that adds tools.`,
    { details: { format, offenders } },
  );
}

function findOffenders(format: PayloadFormat, body: unknown, directNames: ReadonlySet<string>): string[] {
  if (!payloadFormats.includes(format)) return [`the format ${JSON.stringify(format)} cannot be inspected`];
  const fields = typeof body === "string" ? parseText(body) : body;
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return ["the body is not a JSON object"];
  const { functions, others } = payloadEntries(format, fields as Record<string, unknown>);
  const counts = new Map<string, number>();
  for (const name of functions) counts.set(name, (counts.get(name) ?? 0) + 1);
  const missing = controls.filter((name) => !counts.has(name)).map((name) => `${name} is missing`);
  const unapproved = [...counts.keys()].filter(
    (name) => !controls.some((control) => control === name) && !directNames.has(name),
  );
  const repeated = [...counts]
    .filter(([, count]) => count > 1)
    .map(([name, count]) => `${JSON.stringify(name)} appears ${count} times`);
  return [
    ...missing,
    ...repeated,
    ...unapproved.map((name) => `${JSON.stringify(name)} is not approved`),
    ...others.map((other) => `${other} is not approved`),
  ];
}

function parseText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
