import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const tool = join(import.meta.dirname, "../../../../tools/crash/run.ts");

it("GW-7 kill -9 at 12 points of a scenario and 24 damages of its log lose nothing acknowledged and tear nothing", () => {
  const args = ["--conditions=@code-mode/source", tool, "--records", "60", "--points", "12", "--damage", "24"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toContain("points tried 12, lost 0, torn 0");
  expect(stdout).toMatch(/offsets tried 24, exact prefix \d+, refused \d+, torn 0/);
  expect(status).toBe(0);
});
