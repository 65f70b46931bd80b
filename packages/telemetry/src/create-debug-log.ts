import { cutToBytes } from "@code-mode/bridge";
import type { DebugFlags } from "./debug-flags.ts";
import { type RedactOptions, Redactor } from "./redact.ts";

/** What `createDebugLog` takes. */
export type DebugLogOptions = Pick<RedactOptions, "secrets"> & {
  readonly flags: DebugFlags;
  /** Receives each line, without line end. */
  write(line: string): void;
};

/** Says what the flags ask for and nothing else; every line is redacted. */
export type DebugLog = {
  codeMode(message: string, facts?: object): void;
  modelTransport(message: string, facts?: object): void;
  /** A model request: with `tools` its tool names, with `full-redacted` its body, redacted and cut at 64 KiB. */
  modelPayload(request: { readonly toolNames: readonly string[]; readonly body: unknown }): void;
  /** Starts the log of one stream: with `events` the type of each event, with `peek` the first five events. */
  openStream(): { event(type: string, data: string): void };
};

const maxPayloadBytes = 64 * 1024;
const peekedEvents = 5;

/** Creates the debug log of DBG-1. Prompts and message text may still appear in payloads and peeked events. */
export function createDebugLog({ flags, write, secrets = [] }: DebugLogOptions): DebugLog {
  const redactor = new Redactor({ secrets });
  const say = (area: string, message: string, facts?: object) =>
    write(
      `[${area}] ${redactor.text(message).replace(/\p{Cc}+/gu, " ")}${facts === undefined ? "" : ` ${JSON.stringify(redactor.value(facts))}`}`,
    );
  return {
    codeMode: (message, facts) => {
      if (flags.codeMode) say("code-mode", message, facts);
    },
    modelTransport: (message, facts) => {
      if (flags.modelTransport) say("model-transport", message, facts);
    },
    modelPayload: ({ toolNames, body }) => {
      if (flags.modelPayload !== "off") say("model-payload", "tools", { names: toolNames });
      if (flags.modelPayload !== "full-redacted") return;
      const text = JSON.stringify(redactor.value(body));
      const kept = cutToBytes(text, maxPayloadBytes);
      write(`[model-payload] body ${kept}${kept.length < text.length ? `… cut at ${maxPayloadBytes} bytes` : ""}`);
    },
    openStream: () => {
      let seen = 0;
      return {
        event: (type, data) => {
          seen += 1;
          if (flags.sse === "events") say("sse", type);
          if (flags.sse === "peek" && seen <= peekedEvents) say("sse", `${type} ${data}`);
        },
      };
    },
  };
}
