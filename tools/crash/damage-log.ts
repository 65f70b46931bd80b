import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../apps/gateway/src/store/open-database.ts";
import { transcriptFileName } from "../../apps/gateway/src/store/open-transcript-store.ts";
import { temporaryFolder, writeAll } from "./crash-points.ts";
import { draw } from "./scenario.ts";
import { verifyReopened } from "./verify-reopened.ts";

/** What damaged logs gave. */
export type DamageReport = {
  tried: number;
  prefixes: number;
  refusals: number;
  torn: number;
  readonly faults: string[];
};

/** Bytes of a frame of the log: its header and one page. */
const frameBytes = 24 + 4096;
const logHeaderBytes = 32;

/**
 * Truncates a copied log or flips one of its bytes, at seeded offsets; every fourth at a border of frames. Every other
 * log was folded into the database half-way before, as by a kill inside of a checkpoint.
 */
export async function tryDamage(
  offsets: number,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<DamageReport> {
  const report: DamageReport = { tried: 0, prefixes: 0, refusals: 0, torn: 0, faults: [] };
  using whole = temporaryFolder();
  await writeAll(count, whole.path);
  using folded = temporaryFolder();
  await writeAll(count, folded.path);
  foldWithoutReset(folded.path);
  for (let index = 0; index < offsets; index++) {
    const source = index % 2 === 0 ? whole.path : folded.path;
    await tryOne(source, { index, seed, count, report });
  }
  return report;
}

type Try = { readonly index: number; readonly seed: number; readonly count: number; readonly report: DamageReport };

async function tryOne(source: string, { index, seed, count, report }: Try): Promise<void> {
  using folder = temporaryFolder();
  mkdirSync(folder.path, { recursive: true });
  const file = join(folder.path, transcriptFileName);
  copyFileSync(join(source, transcriptFileName), file);
  const log = readFileSync(join(source, `${transcriptFileName}-wal`));
  const what = damage(log, index, seed);
  writeFileSync(`${file}-wal`, what.log);
  const reopened = await verifyReopened(folder.path, count);
  report.tried += 1;
  if (reopened.kind === "prefix") report.prefixes += 1;
  if (reopened.kind === "refused") report.refusals += 1;
  if (reopened.kind !== "torn") return;
  report.torn += 1;
  report.faults.push(`${what.name}: ${reopened.what}`);
}

function damage(log: Buffer, index: number, seed: number): { readonly log: Buffer; readonly name: string } {
  const drawn = draw(index, `offset ${seed}`) % log.length;
  const frames = Math.floor((log.length - logHeaderBytes) / frameBytes);
  const border = logHeaderBytes + (drawn % (frames + 1)) * frameBytes;
  const offset = Math.min(index % 4 === 0 ? border : drawn, log.length - 1);
  if (draw(index, `kind ${seed}`) % 2 === 0) return { log: log.subarray(0, offset), name: `cut at ${offset}` };
  const flipped = Buffer.from(log);
  flipped[offset] = (flipped[offset] ?? 0) ^ (1 << (draw(index, `bit ${seed}`) % 8));
  return { log: flipped, name: `flipped at ${offset}` };
}

/** Copies the log's pages into the database and keeps the log, as if the process had died in a checkpoint. */
function foldWithoutReset(dataDir: string): void {
  const file = join(dataDir, transcriptFileName);
  const log = readFileSync(`${file}-wal`);
  const database = openDatabase(file);
  database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  database.close();
  writeFileSync(`${file}-wal`, log);
}
