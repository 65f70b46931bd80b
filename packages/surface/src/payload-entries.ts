/** Wire formats of model requests that the surface can render and inspect. */
export const payloadFormats = ["openai-chat", "openai-responses", "anthropic", "gemini"] as const;

/** One format of `payloadFormats`. */
export type PayloadFormat = (typeof payloadFormats)[number];

/** What a request offers to the model: functions the client runs, by name, and everything else, by a description. */
export type PayloadEntries = { readonly functions: readonly string[]; readonly others: readonly string[] };

type Fields = Readonly<Record<string, unknown>>;
type Entry = { readonly name: string } | { readonly other: string };

/** Other keys of a request that offer tools beside `tools`; none of them belongs into a code-mode request. */
const sideDoors: Readonly<Record<PayloadFormat, readonly string[]>> = {
  "openai-chat": ["functions", "web_search_options"],
  "openai-responses": ["functions"],
  anthropic: ["mcp_servers"],
  gemini: [],
};

/** Reads every tool entry of a request body; what is not understood counts as something else. */
export function payloadEntries(format: PayloadFormat, body: Fields): PayloadEntries {
  const entries: Entry[] = listOf(body.tools).flatMap((tool) => readers[format](tool));
  for (const key of sideDoors[format]) if (isOffered(body[key])) entries.push({ other: `request key "${key}"` });
  return {
    functions: entries.flatMap((entry) => ("name" in entry ? [entry.name] : [])),
    others: entries.flatMap((entry) => ("other" in entry ? [entry.other] : [])),
  };
}

const readers: Readonly<Record<PayloadFormat, (tool: unknown) => Entry[]>> = {
  "openai-chat": (tool) => {
    const { type, function: definition } = fieldsOf(tool);
    return [type === "function" || type === undefined ? named(fieldsOf(definition).name, tool) : hosted(tool)];
  },
  "openai-responses": (tool) => [fieldsOf(tool).type === "function" ? named(fieldsOf(tool).name, tool) : hosted(tool)],
  anthropic: (tool) => {
    const { type, name } = fieldsOf(tool);
    return [type === undefined || type === "custom" ? named(name, tool) : hosted(tool)];
  },
  gemini: (tool) =>
    Object.entries(fieldsOf(tool)).flatMap(([key, value]): Entry[] =>
      key === "functionDeclarations" || key === "function_declarations"
        ? listOf(value).map((declaration) => named(fieldsOf(declaration).name, declaration))
        : [{ other: `provider-hosted "${key}"` }],
    ),
};

function named(name: unknown, tool: unknown): Entry {
  return typeof name === "string" && name !== "" ? { name } : { other: `an entry without a name (${shortText(tool)})` };
}

function hosted(tool: unknown): Entry {
  const { type, name } = fieldsOf(tool);
  return { other: `provider-hosted ${JSON.stringify(typeof type === "string" ? type : (name ?? shortText(tool)))}` };
}

/** A list that is none is one entry that nobody understands. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isOffered(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function shortText(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 60);
}
