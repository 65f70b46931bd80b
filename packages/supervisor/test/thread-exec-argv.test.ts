import { describe, expect, it } from "vitest";
import { threadExecArgv } from "../src/thread-exec-argv.ts";

describe("threadExecArgv", () => {
  it("RT-5 flags that only fit the main script do not stop a worker from starting", () => {
    expect(threadExecArgv(["--input-type=module", "--eval", "1", "--import", "x", "--expose-gc"])).toEqual([]);
  });

  it("SEC-1 the permission model and resolution conditions are kept", () => {
    const flags = ["--permission", "--allow-fs-read=*", "--conditions=@code-mode/source", "-C", "node"];
    expect(threadExecArgv([...flags, "--watch"])).toEqual(flags);
  });
});
