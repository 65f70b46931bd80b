import { serveRequests } from "./serve-requests.ts";

/** What a module offers whose measurement runs in a process of its own. */
type OwnTaskModule = { measureInProcess(request: unknown): Promise<unknown> };

// Entry of a process that measures only us: `own-task-child.ts <module file URL>`.
const module = import(process.argv[2] as string) as Promise<OwnTaskModule>;

serveRequests<unknown, unknown>(async (request) => (await module).measureInProcess(request));
