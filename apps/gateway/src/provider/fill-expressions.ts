import { CodeModeError, describeFound } from "@code-mode/contract";

/** What expressions of a script may refer to. */
export type ScriptFacts = {
  /** Parsed contents of the tool messages of the conversation, oldest first. */
  readonly results: readonly unknown[];
  /** Text of the last user message. */
  readonly message: string;
};

const expression = /(\$?)\$\{((?:results|message)(?![\w$])(?:\.[A-Za-z_$][\w$]*|\[-?\d+\]|\["[^"\]]*"\])*)\}/g;
const step = /\.([A-Za-z_$][\w$]*)|\[(-?\d+)\]|\["([^"\]]*)"\]/g;

/**
 * Fills `${results[0].runId}`, `${results[-1].value}` and `${message}` into every string of a value. A string that
 * is one expression keeps the type of what it refers to; other `${…}` (template literals of a program) stay as they
 * are, and so does an expression behind a second dollar sign.
 * @throws CodeModeError `invalid_input` for an expression that refers to nothing
 */
export function fillExpressions(value: unknown, facts: ScriptFacts): unknown {
  if (typeof value === "string") return fillText(value, facts);
  if (Array.isArray(value)) return value.map((item) => fillExpressions(item, facts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillExpressions(item, facts)]));
}

function fillText(text: string, facts: ScriptFacts): unknown {
  const whole = text.matchAll(expression).next().value;
  if (whole && whole[0] === text && whole[1] === "") return evaluate(whole[2] as string, facts);
  return text.replaceAll(expression, (match, dollar: string, path: string) => {
    if (dollar !== "") return match.slice(1);
    const found = evaluate(path, facts);
    return typeof found === "string" ? found : JSON.stringify(found);
  });
}

function evaluate(path: string, facts: ScriptFacts): unknown {
  let at: unknown = path.startsWith("results") ? facts.results : facts.message;
  for (const [, name, index, quoted] of path.matchAll(step)) at = member(at, name ?? quoted ?? Number(index));
  if (at !== undefined) return at;
  throw new CodeModeError(
    "invalid_input",
    `\${${path}} refers to nothing; the conversation has ${facts.results.length} tool results, the last is ${describeFound(facts.results.at(-1))}.`,
  );
}

function member(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" ? value.at(key) : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}
