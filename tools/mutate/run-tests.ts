import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A mutant may make a test hang; vitest's own limit is 30 s a test. */
const limitMs = 240_000;

/** How a run of tests came out: which failed, and whether the run itself worked. */
export type TestOutcome = { readonly failed: readonly string[]; readonly passed: number; readonly problem?: string };

type Report = {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
};

/** Which tests: files of one vitest project, or those of their tests whose title holds a text. */
export type TestChoice = { readonly project: string; readonly tests: readonly string[]; readonly only?: string };

/** Runs tests in the tree at `root`. */
export async function runTests(root: string, { project, tests, only }: TestChoice): Promise<TestOutcome> {
  // Where vitest.config.ts has every run report to.
  const report = join(root, ".results", "vitest.json");
  rmSync(report, { force: true });
  const args = ["run", "--project", project, ...tests, "--bail=1", ...(only === undefined ? [] : ["-t", only])];
  const end = await spawnVitest(root, args);
  try {
    return read(JSON.parse(readFileSync(report, "utf8")) as Report);
  } catch {
    return { failed: [], passed: 0, problem: end };
  }
}

function read({ numPassedTests, testResults }: Report): TestOutcome {
  const failed = testResults.flatMap((file) =>
    file.assertionResults.filter((test) => test.status === "failed").map((test) => test.title),
  );
  const broken = testResults.find((file) => file.assertionResults.length === 0);
  return {
    failed,
    passed: numPassedTests,
    ...(broken === undefined ? {} : { problem: broken.message.split("\n", 1)[0] ?? "a test file did not load" }),
  };
}

function spawnVitest(root: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    let text = "";
    child.stderr.on("data", (data: Buffer) => {
      text = (text + data.toString()).slice(-2000);
    });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) =>
      resolve(signal === null ? `exit code ${code}: ${text.trim()}` : `ended by ${signal}`),
    );
  });
}
