/** A part of a tool call as an OpenAI-compatible server streams it; every key may be missing or odd. */
export type CallDelta = {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  readonly extra_content?: unknown;
};

/** A whole tool call in the form of the protocol. */
export type WholeCall = {
  readonly index: number;
  readonly id?: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: unknown;
};

type Call = { index: number | undefined; id: string | undefined; name: string; arguments: string; extra: unknown };
type Parts = { index: number | undefined; id: string | undefined; name: string; arguments: string };

/**
 * Puts tool calls together from their streamed parts. Servers leave out index or id, reuse them, repeat the name in
 * each part or send it in pieces; what belongs together is decided here once, in favour of what keeps calls whole.
 */
export class ChatCalls {
  readonly #names: ReadonlySet<string>;
  readonly #calls: Call[] = [];

  /** @param names the tools that were offered: they tell a piece of a name from a whole one */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  add(delta: CallDelta): void {
    const parts = partsOf(delta);
    const call = this.#find(parts) ?? this.#open(parts);
    call.index ??= parts.index;
    call.id ??= parts.id;
    call.extra ??= delta.extra_content ?? undefined;
    if (parts.name !== "" && parts.name !== call.name) call.name = this.#nameOf(call.name, parts.name);
    // some servers send the whole arguments once more in the last part
    if (parts.arguments !== call.arguments || !isJson(call.arguments)) call.arguments += parts.arguments;
  }

  /** The calls in the order in which they began, each with an id of its own. */
  whole(): readonly WholeCall[] {
    const used = new Set<string>();
    return this.#calls.map((call, index) => {
      const id = call.id === undefined ? undefined : uniqueId(call.id, used);
      return {
        index,
        ...(id === undefined ? {} : { id }),
        type: "function",
        function: { name: call.name === "" ? "unnamed_tool" : call.name, arguments: call.arguments },
        ...(call.extra === undefined ? {} : { extra_content: call.extra }),
      };
    });
  }

  #open({ index, id }: Parts): Call {
    const call: Call = { index, id, name: "", arguments: "", extra: undefined };
    this.#calls.push(call);
    return call;
  }

  #find(parts: Parts): Call | undefined {
    const at = this.#candidate(parts);
    return at !== undefined && this.#goesOn(at, parts) ? at : undefined;
  }

  #candidate({ index, id, name }: Parts): Call | undefined {
    const byId = id === undefined ? undefined : this.#calls.findLast((call) => call.id === id);
    if (index !== undefined) {
      const byIndex = this.#calls.findLast((call) => call.index === index);
      if (byIndex !== undefined || name !== "") return byIndex;
      return byId ?? (id === undefined ? this.#calls.at(-1) : undefined);
    }
    return id === undefined ? this.#calls.at(-1) : byId;
  }

  #goesOn(call: Call, parts: Parts): boolean {
    if (parts.id !== undefined && call.id !== undefined && parts.id !== call.id) return parts.name === "";
    if (parts.name === "" || call.name === "") return true;
    if (parts.name === call.name)
      return parts.arguments === call.arguments || !(isJson(call.arguments) && /^\s*\{/.test(parts.arguments));
    return call.arguments === "" && !this.#names.has(call.name);
  }

  #nameOf(before: string, piece: string): string {
    return this.#names.has(piece) ? piece : before + piece;
  }
}

function partsOf({ index, id, function: called }: CallDelta): Parts {
  const { name, arguments: given } = called ?? {};
  return {
    index: typeof index === "number" ? index : undefined,
    id: typeof id === "string" && id.trim() !== "" ? id : undefined,
    name: typeof name === "string" ? name.trim() : "",
    arguments: typeof given === "string" ? given : given === undefined || given === null ? "" : JSON.stringify(given),
  };
}

function uniqueId(id: string, used: Set<string>): string {
  let unique = id;
  for (let count = 2; used.has(unique); count++) unique = `${id}_${count}`;
  used.add(unique);
  return unique;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
