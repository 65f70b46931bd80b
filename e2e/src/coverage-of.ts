import type { Requirement } from "../requirements.ts";
import type { TestTitle } from "./scan-titles.ts";

/** A title together with the file it stands in. */
export type LocatedTitle = TestTitle & { readonly file: string };

/** What the tests prove of the requirements. */
export type Coverage = {
  /** Ids without `planned` that no active test cites. */
  readonly uncited: readonly string[];
  /** Citations of ids that the table does not know. */
  readonly unknown: readonly string[];
  /** Titles that cite more than two ids: a test that claims so much is to be split. */
  readonly crowded: readonly string[];
  /** Ids marked `planned` that a test cites already: the mark can go. */
  readonly early: readonly string[];
};

const idShape = /(?<![\w-])[A-Z][A-Z0-9]*-\d+(?![\w-]*\w)/g;
const leading = /^(?:[A-Z][A-Z0-9]*-\d+(?![\w-])[\s,:/+]*)+/;

/**
 * Compares the table with the titles of all tests. A citation is an id at the start of a title, or
 * one of a known area anywhere in it; `UTF-8` inside a sentence is none.
 */
export function coverageOf(requirements: readonly Requirement[], titles: readonly LocatedTitle[]): Coverage {
  const known = new Set(requirements.map(({ id }) => id));
  const areas = new Set(requirements.map(({ area }) => area));
  const cited = new Set<string>();
  const unknown: string[] = [];
  const crowded: string[] = [];
  for (const { title, file, active } of titles) {
    const ids = citedIds(title, areas);
    for (const id of ids) {
      if (!known.has(id)) unknown.push(`${id} (${file}: ${title})`);
      else if (active) cited.add(id);
    }
    if (ids.length > 2) crowded.push(`${file}: ${title}`);
  }
  const isCited = ({ id }: Requirement): boolean => cited.has(id);
  return {
    uncited: requirements.filter((item) => item.planned === undefined && !isCited(item)).map(({ id }) => id),
    unknown,
    crowded,
    early: requirements.filter((item) => item.planned !== undefined && isCited(item)).map(({ id }) => id),
  };
}

function citedIds(title: string, areas: ReadonlySet<string>): readonly string[] {
  const atStart = leading.exec(title)?.[0].match(idShape) ?? [];
  const anywhere = (title.match(idShape) ?? []).filter((id) => areas.has(id.slice(0, id.lastIndexOf("-"))));
  return [...new Set([...atStart, ...anywhere])];
}
