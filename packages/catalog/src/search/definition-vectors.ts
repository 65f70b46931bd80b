import { createHash } from "node:crypto";
import type { CatalogTool } from "@code-mode/contract";
import { type SearchDocument, searchDocument } from "./search-document.ts";
import { SlicedTask } from "./sliced-task.ts";

/** Turns texts into vectors of one length, in order; usually a model of a provider. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/** Texts that are sent at once. */
const batchSize = 64;
/** More is forgotten, oldest first: 60,000 vectors of 384 numbers are 90 MB. */
const maxVectors = 60_000;
const maxTextLength = 2_000;

/** Vectors of tool definitions, by the hash of what was embedded: a definition that has not changed is not sent again. */
export class DefinitionVectors {
  readonly #embed: EmbedTexts;
  readonly #known = new Map<string, Float32Array>();
  readonly #hashes = new WeakMap<CatalogTool["tool"], { readonly hash: string; readonly text: string }>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(embed: EmbedTexts) {
    this.#embed = embed;
  }

  /** One vector per tool. Calls run one after the other, so that no definition is sent twice. */
  async of(tools: readonly CatalogTool[]): Promise<readonly Float32Array[]> {
    const mine = this.#queue.then(() => this.#fill(tools));
    this.#queue = mine.catch(() => undefined);
    return mine;
  }

  /** The vector of a text, scaled to length 1. */
  async ofQuery(query: string): Promise<Float32Array> {
    const [vector] = await this.#vectors([query.slice(0, maxTextLength)]);
    return vector as Float32Array;
  }

  async #fill(tools: readonly CatalogTool[]): Promise<readonly Float32Array[]> {
    const definitions = await new SlicedTask(this.#definitions(tools)).run();
    const found = new Map<string, Float32Array>();
    const missing = new Map<string, string>();
    for (const { hash, text } of definitions) {
      const vector = this.#known.get(hash);
      if (vector === undefined) missing.set(hash, text);
      else found.set(hash, vector);
    }
    const wanted = [...missing];
    for (let from = 0; from < wanted.length; from += batchSize) {
      const batch = wanted.slice(from, from + batchSize);
      const vectors = await this.#vectors(batch.map(([, text]) => text));
      for (const [index, [hash]] of batch.entries()) {
        const vector = vectors[index] as Float32Array;
        found.set(hash, vector);
        this.#keep(hash, vector);
      }
    }
    return definitions.map(({ hash }) => found.get(hash) as Float32Array);
  }

  *#definitions(tools: readonly CatalogTool[]): Generator<undefined, { hash: string; text: string }[]> {
    const definitions: { hash: string; text: string }[] = [];
    for (const tool of tools) {
      const known = this.#hashes.get(tool.tool) ?? definitionOf(tool);
      this.#hashes.set(tool.tool, known);
      definitions.push(known);
      yield;
    }
    return definitions;
  }

  #keep(hash: string, vector: Float32Array): void {
    this.#known.set(hash, vector);
    if (this.#known.size <= maxVectors) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  async #vectors(texts: readonly string[]): Promise<Float32Array[]> {
    const rows = await this.#embed(texts);
    if (!Array.isArray(rows) || rows.length !== texts.length)
      throw new TypeError(`embed was given ${texts.length} texts and must return as many vectors.`);
    return rows.map(unitVector);
  }
}

function definitionOf(tool: CatalogTool): { hash: string; text: string } {
  const document = searchDocument(tool);
  const text = textOf(document);
  return { hash: createHash("sha256").update(text).digest("base64"), text };
}

function textOf({ name, label, server, description, parameters }: SearchDocument): string {
  return [`${server} ${name}`.trim(), label, description, parameters]
    .filter((part) => part !== "")
    .join("\n")
    .slice(0, maxTextLength);
}

function unitVector(row: readonly number[]): Float32Array {
  const vector = Float32Array.from(row);
  const length = Math.hypot(...vector);
  if (vector.length === 0 || !Number.isFinite(length))
    throw new TypeError("embed returned a vector that is no list of numbers.");
  return length === 0 ? vector : vector.map((value) => value / length);
}
