/** A counter: its help text, and its values by label text such as `{status="completed"}`. */
export type Counter = { readonly help: string; readonly values: Map<string, number> };

/** Counters by metric name, in the order of their definition. */
export class Counters {
  readonly #counters: ReadonlyMap<string, Counter>;

  /** @param helpTexts every metric there is, with what it counts */
  constructor(helpTexts: Readonly<Record<string, string>>) {
    this.#counters = new Map(Object.entries(helpTexts).map(([name, help]) => [name, { help, values: new Map() }]));
  }

  /** Adds to a counter; `labels` are values of label names. */
  add(metric: string, labels: Readonly<Record<string, string>> = {}, amount = 1): void {
    const { values } = this.#counters.get(metric) ?? { values: new Map<string, number>() };
    const key = labelText(labels);
    values.set(key, (values.get(key) ?? 0) + amount);
  }

  /** Every counter, with and without values. */
  entries(): IterableIterator<[string, Counter]> {
    return this.#counters.entries();
  }

  /** Current values by metric and label. */
  values(): Readonly<Record<string, number>> {
    const pairs = [...this.#counters].flatMap(([name, { values }]) =>
      [...values].map(([label, value]) => [name + label, value] as const),
    );
    return Object.fromEntries(pairs);
  }

  /** The Prometheus text format; counters that counted nothing are left out. */
  toPrometheus(): string {
    const blocks = [...this.#counters].map(([name, { help, values }]) => {
      const rows = [...values]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([label, value]) => `${name}${label} ${value}\n`);
      return rows.length === 0 ? "" : `# HELP ${name} ${help}\n# TYPE ${name} counter\n${rows.join("")}`;
    });
    return blocks.join("");
  }
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Names of models are a user's: a quote or line break in one must not end the line. */
function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
