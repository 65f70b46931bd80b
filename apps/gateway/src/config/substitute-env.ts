import { CodeModeError } from "@code-mode/contract";
import type { KeyPath } from "./parse-config-text.ts";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where substitution reads from, and how a key is named in messages. */
export type SubstituteOptions = { readonly env: Environment; readonly place: (path: KeyPath) => string };

const reference = /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-fallback}` in every string of a value; `$${NAME}` stays as `${NAME}`.
 * @throws CodeModeError `invalid_input` that names the key of an unset variable
 */
export function substituteEnv(value: unknown, options: SubstituteOptions, path: KeyPath = []): unknown {
  if (typeof value === "string") return substitute(value, options, path);
  if (Array.isArray(value)) return value.map((item, index) => substituteEnv(item, options, [...path, index]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, substituteEnv(item, options, [...path, key])]),
  );
}

/** Names of the variables that a text takes from the environment. */
export function referencesIn(text: string): readonly string[] {
  const found = [...text.matchAll(reference)].filter(([, dollar]) => dollar === "").map(([, , name]) => name ?? "");
  return [...new Set(found)];
}

function substitute(text: string, { env, place }: SubstituteOptions, path: KeyPath): string {
  return text.replaceAll(reference, (whole, dollar: string, name: string, fallback: string | undefined) => {
    if (dollar !== "") return whole.slice(1);
    const found = env[name] || fallback;
    if (found !== undefined) return found;
    throw new CodeModeError(
      "invalid_input",
      `${place(path)}: the environment variable ${name} is not set. Set it, or write \${${name}:-fallback} to give a default.`,
    );
  });
}
