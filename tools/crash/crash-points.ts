import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyReopened } from "./verify-reopened.ts";

/** What a run of crash points found. */
export type CrashReport = { tried: number; lost: number; torn: number; readonly faults: string[] };

/** How the child is made to die at its n-th point. */
export type Killer = "statement" | "system call";

const child = join(import.meta.dirname, "crash-child.ts");
const lanes = 2;

/** Kills a writer at each of the given points and verifies what it left; without points, at all there are. */
export async function tryCrashPoints(
  killer: Killer,
  { count, points }: { readonly count: number; readonly points?: readonly number[] },
): Promise<CrashReport> {
  const report: CrashReport = { tried: 0, lost: 0, torn: 0, faults: [] };
  let next = 0;
  let over = false;
  const lane = async (): Promise<void> => {
    while (!over) {
      const at = points === undefined ? next + 1 : points[next];
      next += 1;
      if (at === undefined) return;
      const ended = await tryPoint(killer, { at, count, report });
      over ||= ended && points === undefined;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return report;
}

/** Number of statement points of the scenario. */
export async function countPoints(count: number): Promise<number> {
  using folder = temporaryFolder();
  const { lines } = await runChild("statement", { at: 0, count, dataDir: folder.path });
  return Number(lines.find((line) => line.startsWith("points "))?.slice("points ".length));
}

/** True when the child came to its end: there is no such point. */
async function tryPoint(
  killer: Killer,
  { at, count, report }: { readonly at: number; readonly count: number; readonly report: CrashReport },
): Promise<boolean> {
  using folder = temporaryFolder();
  const { lines } = await runChild(killer, { at, count, dataDir: folder.path });
  const acknowledged = lines.filter((line) => line.startsWith("ack ")).map((line) => Number(line.slice(4)) + 1);
  const promised = acknowledged.at(-1) ?? 0;
  const reopened = await verifyReopened(folder.path, count);
  report.tried += 1;
  const fault = (what: string): void => void report.faults.push(`${killer} ${at}: ${what}`);
  if (reopened.kind === "torn") {
    report.torn += 1;
    fault(reopened.what);
  } else if (reopened.kind === "refused") {
    report.lost += 1;
    fault(`refused: ${reopened.message}`);
  } else if (reopened.kept < promised) {
    report.lost += promised - reopened.kept;
    fault(`${promised} records were acknowledged and ${reopened.kept} are there`);
  }
  return lines.some((line) => line.startsWith("points "));
}

type ChildRun = { readonly at: number; readonly count: number; readonly dataDir: string };

async function runChild(killer: Killer, { at, count, dataDir }: ChildRun): Promise<{ readonly lines: string[] }> {
  const node = ["--conditions=@code-mode/source", child, dataDir, String(count)];
  const trace = [
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    "trace=pwrite64,ftruncate",
    "-e",
    `inject=pwrite64,ftruncate:signal=KILL:when=${at}`,
  ];
  const [command, args] =
    killer === "statement" ? [process.execPath, node] : ["strace", [...trace, process.execPath, ...node]];
  const env = { ...process.env, CRASH_AT: killer === "statement" ? String(at) : "0" };
  const running = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const piece of running.stdout.setEncoding("utf8")) text += piece;
  return { lines: text.split("\n").slice(0, -1) };
}

/** Whether this machine can kill a process inside a system call. */
export function canTrace(): boolean {
  return spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;
}

/** A folder that is deleted with the variable that holds it. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "codemode-crash-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Writes the whole scenario and leaves its log unfolded, as a kill does. */
export async function writeAll(count: number, dataDir: string): Promise<void> {
  await runChild("statement", { at: 0, count, dataDir });
}
