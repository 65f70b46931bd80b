import { writeFileSync } from "node:fs";
import { CodeModeError, didYouMean, messageOf } from "@code-mode/contract";
import { readTranscripts, type TranscriptReader } from "../../store/read-transcripts.ts";
import type { SessionEvent } from "../../store/transcript-store.ts";
import { toHtml } from "../../trajectory/to-html.ts";
import { toJsonLines } from "../../trajectory/to-json-lines.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { printData, printNote } from "../terminal.ts";
import type { TrajectoryOptions } from "./add-trajectory.ts";

/** Most sessions that an error names. */
const maxNamed = 20;

/** Exports a session's trajectory from the data folder (CLI-8). */
export async function trajectoryCommand(sessionId: string, options: TrajectoryOptions): Promise<number> {
  const { gateway } = configOf(options);
  using reader = readTranscripts(gateway.dataDir);
  const events = eventsOf(reader, sessionId);
  const text = options.format === "html" ? toHtml(sessionId, events) : toJsonLines(events);
  if (options.out === undefined) {
    await printData(text.replace(/\n$/, ""));
    return exitCodes.success;
  }
  write(options.out, text);
  printNote(`${events.length} events of session ${sessionId} are in ${options.out}`);
  return exitCodes.success;
}

function eventsOf(reader: TranscriptReader, sessionId: string): readonly SessionEvent[] {
  const ids = reader.sessions().map(({ id }) => id);
  if (ids.includes(sessionId)) return reader.events(sessionId);
  const newest = ids.slice(-maxNamed).reverse();
  const more = ids.length > newest.length ? ` and ${ids.length - newest.length} older ones` : "";
  const known = ids.length === 0 ? "There are none yet." : `Sessions: ${newest.join(", ")}${more}.`;
  throw new CodeModeError(
    "invalid_input",
    `there is no session ${JSON.stringify(sessionId)}.${didYouMean(sessionId, ids)} ${known}`,
  );
}

/** A trajectory tells what people and programs did: only this user may read the file. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new CodeModeError("invalid_input", `--out: ${file} cannot be written (${messageOf(error)}).`, {
      cause: error,
    });
  }
}
