import type { JsonValue } from "@code-mode/contract";
import { secretForms } from "./secret-forms.ts";
import { isSecretKey, redactedMark, secretPatterns } from "./secret-patterns.ts";

/** Optional parts of `redact`. */
export type RedactOptions = {
  /** Secrets known to the process: removed everywhere, also in encoded form and in verbatim text. */
  readonly secrets?: Iterable<string>;
  /** Texts longer than this are cut. Default 32,768 characters. */
  readonly maxTextLength?: number;
};

/** Removes secrets from values and texts; holds the prepared forms of the registered ones. */
export class Redactor {
  readonly #forms: readonly string[];
  readonly #maxTextLength: number;

  constructor({ secrets = [], maxTextLength = 32_768 }: RedactOptions = {}) {
    this.#forms = secretForms(secrets);
    this.#maxTextLength = maxTextLength;
  }

  /** A copy of the value without secrets; its shape stays. What JSON cannot hold becomes text. */
  value(value: unknown): JsonValue {
    return this.#walk(value, new Set());
  }

  /** The text without secrets, cut to the longest text allowed. */
  text(text: string): string {
    // Registered secrets go before the cut: a secret that the cut would split could no longer be found.
    const clean = secretPatterns.reduce(
      (rest, { pattern, replacement }) => rest.replace(pattern, replacement),
      this.verbatim(text),
    );
    return clean.length <= this.#maxTextLength
      ? clean
      : `${clean.slice(0, this.#maxTextLength)}… +${clean.length - this.#maxTextLength} characters`;
  }

  /** The text as it is but for registered secrets: program source must stay readable and true. */
  verbatim(text: string): string {
    return this.#forms.reduce((rest, form) => rest.replaceAll(form, redactedMark), text);
  }

  #walk(value: unknown, open: Set<object>): JsonValue {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
    if (typeof value !== "object") return value === undefined ? null : this.text(String(value));
    if (open.has(value)) return "[Circular]";
    if (open.size >= 500) return "[too deep]";
    open.add(value);
    const copy = Array.isArray(value)
      ? value.map((item) => this.#walk(item, open))
      : Object.fromEntries(
          Object.entries(value).map(([key, item]) => [this.verbatim(key), this.#member(key, item, open)]),
        );
    open.delete(value);
    return copy;
  }

  #member(key: string, item: unknown, open: Set<object>): JsonValue {
    return typeof item === "string" && item !== "" && isSecretKey(key) ? redactedMark : this.#walk(item, open);
  }
}

/**
 * A copy of the value without secrets: registered ones in every spelling, credentials of known shape or under a telling
 * key, credentials in URLs, and names of home folders.
 */
export function redact(value: unknown, options: RedactOptions = {}): JsonValue {
  return new Redactor(options).value(value);
}
