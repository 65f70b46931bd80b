import { CodeModeError, messageOf } from "@code-mode/contract";

/** Primary result codes of SQLite. */
const codes = { busy: 5, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const;

/** What happened to the transcripts' file and the way out, for people. */
export function explainFault(error: unknown, file: string): string {
  if (CodeModeError.is(error)) return error.message;
  const primary = Number((error as { errcode?: unknown } | null)?.errcode ?? 0) & 0xff;
  const said = messageOf(error);
  switch (primary) {
    case codes.full:
      return `the disk of ${file} is full (${said}). Free some space and start the gateway again; nothing that was acknowledged is lost.`;
    case codes.ioError:
      return `${file} could not be read or written (${said}). Check the disk and its quota, then start the gateway again.`;
    case codes.corrupt:
    case codes.notADatabase:
      return damage(file, said);
    case codes.readOnly:
    case codes.cannotOpen:
      return `${file} may not be written (${said}). Give this user write permission on the file and its folder, or set gateway.dataDir to another folder.`;
    case codes.busy:
      return `${file} is locked by another program (${said}). Close it and start the gateway again.`;
    default:
      return `${file}: ${said}`;
  }
}

/** The refusal of a damaged file: nothing of it is guessed. */
export function damage(file: string, what: string): string {
  return `${file} is damaged (${what}). Restore a copy of it, or move it and its -wal file away and start again with empty transcripts; "sqlite3 ${file} .recover" may save rows of it.`;
}
