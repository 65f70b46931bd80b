import type { JsonObject, JsonValue } from "@code-mode/contract";
import { secretForms } from "./secret-forms.ts";
import {
  isSecretKey,
  literalPatterns,
  maySecret,
  redactedMark,
  type SecretPattern,
  secretPatterns,
} from "./secret-patterns.ts";

/** Optional parts of `redact`. */
export type RedactOptions = {
  /** Secrets known to the process: removed everywhere, also in encoded form and in verbatim text. */
  readonly secrets?: Iterable<string>;
  /** Texts longer than this are cut. Default 32,768 characters. */
  readonly maxTextLength?: number;
};

/** Keys repeat: what is known of them is kept, up to this many. */
const maxKnownKeys = 2000;

type KnownKey = { readonly clean: string; readonly secret: boolean };

function replaceAll(text: string, patterns: readonly SecretPattern[]): string {
  if (!maySecret.test(text)) return text;
  return patterns.reduce((rest, { pattern, replacement }) => rest.replace(pattern, replacement), text);
}

function escapeExpression(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Removes secrets from values and texts; holds the prepared forms of the registered ones. */
export class Redactor {
  /** All forms of the registered secrets, longest first; nothing when there are none. */
  readonly #forms: RegExp | undefined;
  readonly #shortestForm: number;
  readonly #maxTextLength: number;
  readonly #keys = new Map<string, KnownKey>();

  constructor({ secrets = [], maxTextLength = 32_768 }: RedactOptions = {}) {
    const forms = secretForms(secrets);
    this.#forms = forms.length === 0 ? undefined : new RegExp(forms.map(escapeExpression).join("|"), "g");
    this.#shortestForm = forms.at(-1)?.length ?? 0;
    this.#maxTextLength = maxTextLength;
  }

  /** A copy of the value without secrets; its shape stays. What JSON cannot hold becomes text. */
  value(value: unknown): JsonValue {
    return this.#walk(value, new Set());
  }

  /** The text without secrets, cut to the longest text allowed. */
  text(text: string): string {
    // Registered secrets go before the cut: a secret that the cut would split could no longer be found.
    const known = this.verbatim(text);
    const clean = replaceAll(known, secretPatterns);
    return clean.length <= this.#maxTextLength
      ? clean
      : `${clean.slice(0, this.#maxTextLength)}… +${clean.length - this.#maxTextLength} characters`;
  }

  /** Program source as it is, readable and true, but for registered secrets and literals of a token's shape. */
  source(text: string): string {
    return replaceAll(this.verbatim(text), literalPatterns);
  }

  /** The text as it is but for registered secrets. */
  verbatim(text: string): string {
    if (this.#forms === undefined || text.length < this.#shortestForm) return text;
    return text.replace(this.#forms, redactedMark);
  }

  #walk(value: unknown, open: Set<object>): JsonValue {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
    if (typeof value !== "object") return value === undefined ? null : this.text(String(value));
    if (open.has(value)) return "[Circular]";
    if (open.size >= 500) return "[too deep]";
    open.add(value);
    const copy = Array.isArray(value) ? value.map((item) => this.#walk(item, open)) : this.#members(value, open);
    open.delete(value);
    return copy;
  }

  #members(value: object, open: Set<object>): JsonObject {
    const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
      const { clean, secret } = this.#key(key);
      return [clean, secret && typeof item === "string" && item !== "" ? redactedMark : this.#walk(item, open)];
    });
    return Object.fromEntries(entries);
  }

  #key(key: string): KnownKey {
    const found = this.#keys.get(key);
    if (found !== undefined) return found;
    const known = { clean: this.verbatim(key), secret: isSecretKey(key) };
    if (this.#keys.size < maxKnownKeys) this.#keys.set(key, known);
    return known;
  }
}

/**
 * A copy of the value without secrets: registered ones in every spelling, credentials of known shape or under a telling
 * key, credentials in URLs, and names of home folders.
 */
export function redact(value: unknown, options: RedactOptions = {}): JsonValue {
  return new Redactor(options).value(value);
}
