// A process that uses a store: `store-child.ts <data folder> [until-full]`. Without more it acknowledges one event and
// lives on; with `until-full` it writes until it cannot and reports what it sees then.
import { CodeModeError } from "@code-mode/contract";
import { openTranscriptStore } from "../../src/store/open-transcript-store.ts";

const [dataDir = "", mode] = process.argv.slice(2);
const store = openTranscriptStore({ dataDir });
store.openSession("a", "main");
let acknowledged = 0;

async function write(): Promise<void> {
  store.append("a", { type: "text", text: "x".repeat(2000) });
  await store.flush();
  acknowledged += 1;
}

async function writeUntilFull(): Promise<string> {
  try {
    for (;;) await write();
  } catch (error) {
    return CodeModeError.is(error) ? error.code : String(error);
  }
}

if (mode === "until-full") {
  const code = await writeUntilFull();
  const { readOnly } = store;
  console.log(JSON.stringify({ acknowledged, read: store.events("a").length, readOnly, code }));
  await store[Symbol.asyncDispose]();
} else {
  await write();
  console.log(`acknowledged ${acknowledged}`);
  process.stdin.resume();
}
