import { defineProperty } from "../captured.ts";
import { construct } from "./captured-intl.ts";
import { supportedLocales } from "./locales.ts";

type IntlClass = { new (locales: unknown, options: unknown): object; readonly prototype: object };

/**
 * The public constructor of a class. `NumberFormat`, `DateTimeFormat` and `Collator` may be called without `new`,
 * which a class refuses: those get a function before it.
 */
export function publish(hidden: IntlClass, name: string, callable: boolean): unknown {
  const shown = callable ? callableOf(hidden) : hidden;
  constantMember(shown, "name", name);
  constantMember(shown, "length", 0);
  defineProperty(shown, "supportedLocalesOf", {
    value: { supportedLocalesOf: (locales?: unknown) => supportedLocales(locales) }.supportedLocalesOf,
    writable: true,
    configurable: true,
  });
  constantMember(hidden.prototype, Symbol.toStringTag, `Intl.${name}`);
  return shown;
}

function callableOf(hidden: IntlClass): object {
  const shown = function (this: unknown, locales: unknown, options: unknown): object {
    return construct(hidden, [locales, options], new.target ?? shown);
  };
  defineProperty(shown, "prototype", { value: hidden.prototype, writable: false });
  defineProperty(hidden.prototype, "constructor", { value: shown, writable: true, configurable: true });
  return shown;
}

function constantMember(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, { value, writable: false, enumerable: false, configurable: true });
}
