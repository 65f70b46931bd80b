import { TaskProcess } from "./task-process.ts";

const childFile = new URL("./own-task-child.ts", import.meta.url);

/** Runs the `measureInProcess` of a module in a fresh process, so that no other benchmark's heap or threads disturb it. */
export async function measureInOwnProcess<T>(moduleUrl: string, request: object): Promise<T> {
  using child = new TaskProcess(childFile, [moduleUrl]);
  return await child.request<T>(request);
}
