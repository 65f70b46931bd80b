import type { TaskReply } from "./task-process.ts";

/** Answers the parent's requests with `handle`, one at a time, until the process is ended. */
export function serveRequests<Request, Value>(handle: (request: Request) => Promise<Value>): void {
  process.on("message", (request: Request) => {
    handle(request).then(
      (value) => send({ ok: true, value }),
      (error: unknown) => {
        // The message goes into tables that are published; where it happened is for whoever looks at the terminal.
        console.error(error);
        send({ ok: false, error: error instanceof Error ? error.message : String(error) });
      },
    );
  });
  process.on("disconnect", () => process.exit(0));
}

function send(reply: TaskReply<unknown>): void {
  process.send?.(reply);
}
