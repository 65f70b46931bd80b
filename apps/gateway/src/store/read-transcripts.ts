import { existsSync } from "node:fs";
import { join } from "node:path";
import { CodeModeError } from "@code-mode/contract";
import { openDatabase } from "./open-database.ts";
import { explained, transcriptFileName } from "./open-transcript-store.ts";
import { readEvents, readMessages, readSessions } from "./sqlite-rows.ts";
import { assertOurs } from "./sqlite-schema.ts";
import type { SessionEvent, SessionInfo, StoredMessage } from "./transcript-store.ts";

/** Transcripts of a data folder, to be read only. */
export type TranscriptReader = Disposable & {
  /** All sessions, in order of creation. */
  sessions(): readonly SessionInfo[];
  events(sessionId: string): readonly SessionEvent[];
  messages(sessionId: string): readonly StoredMessage[];
};

/**
 * Opens the transcripts of a data folder beside a gateway that may be using them; changes nothing.
 * @throws CodeModeError `invalid_input` where there are none, `runtime_unavailable` for a file that cannot be read
 */
export function readTranscripts(dataDir: string): TranscriptReader {
  const file = join(dataDir, transcriptFileName);
  if (!existsSync(file))
    throw new CodeModeError(
      "invalid_input",
      `${dataDir} holds no transcripts. They begin with the first turn of "codemode gateway"; is gateway.dataDir the folder you mean?`,
    );
  const database = explained(file, () => {
    const opened = openDatabase(file, { readOnly: true });
    try {
      opened.exec("PRAGMA busy_timeout = 2000");
      assertOurs(opened, file);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  });
  return {
    sessions: () =>
      explained(file, () => readSessions(database).map(({ key: _key, messages: _messages, ...info }) => info)),
    events: (sessionId) => explained(file, () => readEvents(database, sessionId, {}, file)),
    messages: (sessionId) => explained(file, () => readMessages(database, sessionId, file)),
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close();
    },
  };
}
