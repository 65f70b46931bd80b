import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import { isInside } from "./workspace.ts";

/** One search, as plain data for the thread that does it. */
export type GrepJob = {
  /** The workspace folder, links resolved. */
  readonly root: string;
  /** Folders inside that are left out. */
  readonly closed: readonly string[];
  /** Absolute path of a file or folder that was checked to be inside the workspace. */
  readonly start: string;
  /** The same, relative to the workspace. */
  readonly shown: string;
  readonly pattern: string;
  readonly flags: string;
  readonly limit: number;
  readonly budgetMs: number;
};

/** What a search found. */
export type GrepReport = {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  readonly filesSearched: number;
  readonly truncated: boolean;
};

const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);
/** Larger files are data, not text that a person wrote. */
const maxFileBytes = 4 * 1024 * 1024;
/** Longer lines are cut before matching: minified code is one line of a megabyte. */
const maxLineLength = 2_000;
const maxShownLength = 300;
const maxFiles = 20_000;

/** Searches synchronously; meant for a worker thread. */
export function grepFiles(job: GrepJob): GrepReport {
  const search = new Search(job);
  const truncated = !search.visit(job.start, job.shown);
  return { matches: search.matches, filesSearched: search.filesSearched, truncated: truncated || search.skippedLarge };
}

class Search {
  readonly matches: { path: string; line: number; text: string }[] = [];
  filesSearched = 0;
  skippedLarge = false;
  readonly #job: GrepJob;
  readonly #regex: RegExp;
  readonly #deadline: number;

  constructor(job: GrepJob) {
    this.#job = job;
    this.#regex = new RegExp(job.pattern, job.flags);
    this.#deadline = performance.now() + job.budgetMs;
  }

  /** False when limit, budget or file count ended the search. */
  visit(path: string, shown: string): boolean {
    const kind = statSync(path, { throwIfNoEntry: false });
    if (kind?.isDirectory()) return this.#visitFolder(path, shown);
    return kind?.isFile() ? this.#visitFile(path, shown === "." ? basename(path) : shown) : true;
  }

  #visitFolder(folder: string, shown: string): boolean {
    for (const entry of entriesOf(folder)) {
      const [path, name] = [join(folder, entry.name), shown === "." ? entry.name : `${shown}/${entry.name}`];
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) {
        if (!this.#visitFolder(path, name)) return false;
      } else if (entry.isFile() && !this.#visitFile(path, name)) return false;
    }
    return true;
  }

  #visitFile(path: string, shown: string): boolean {
    if (this.filesSearched >= maxFiles || performance.now() > this.#deadline) return false;
    const text = this.#textOf(path);
    if (text === undefined) return true;
    this.filesSearched++;
    let line = 0;
    for (const content of text.split("\n")) {
      line++;
      if (line % 256 === 0 && performance.now() > this.#deadline) return false;
      if (!this.#regex.test(content.slice(0, maxLineLength).replace(/\r$/, ""))) continue;
      if (this.matches.length >= this.#job.limit) return false;
      this.matches.push({ path: shown, line, text: content.slice(0, maxShownLength).trimEnd() });
    }
    return true;
  }

  #textOf(path: string): string | undefined {
    const bytes = readSmallFile(path, this.#job);
    if (bytes === "large") this.skippedLarge = true;
    if (bytes === undefined || bytes === "large" || bytes.subarray(0, 8_192).includes(0)) return undefined;
    return bytes.toString("utf8");
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // unreadable or deleted meanwhile: nothing to search
  }
}

/** Opens without following a link that took the place of the file, or of a folder on the way, after it was listed. */
function readSmallFile(path: string, { root, closed }: GrepJob): Buffer | "large" | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined; // unreadable or deleted meanwhile: nothing to search
  }
  try {
    const stats = fstatSync(descriptor);
    const place = placeOf(descriptor, path);
    if (!stats.isFile() || place === undefined || !isInside(place, root)) return undefined;
    if (closed.some((folder) => isInside(place, folder))) return undefined;
    if (stats.size > maxFileBytes) return "large";
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Where an open file is, told by the kernel; systems that do not tell answer what the path leads to now. */
function placeOf(descriptor: number, path: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return realPathOf(path);
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // gone meanwhile
  }
}
