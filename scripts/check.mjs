// Every check of the project, one after the other. A failed step does not stop the rest, so that one run
// shows every fault; the line of scripts/summary.mjs comes last and the exit code is red if any step was.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

const steps = [
  ["lint", "biome", "check", "."],
  ["layers", "node", "tools/check-layers.mjs"],
  ["boundaries", "turbo", "boundaries"],
  ["build", "turbo", "run", "build", "--output-logs=errors-only", "--continue"],
  ["typecheck", "turbo", "run", "typecheck", "--output-logs=errors-only", "--continue"],
  ["test", "vitest", "run"],
  ["docs", "node", "tools/check-docs.mjs"],
];

// No step may read the results of an earlier run.
rmSync(".results", { recursive: true, force: true });

const red = [];
for (const [name, command, ...args] of steps) {
  console.log(`\n── ${name}: ${[command, ...args].join(" ")}`);
  const { status, error } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (error) console.error(error.message);
  if (status !== 0) red.push(name);
}

const green = steps.length - red.length;
console.log(`\n── ${green} of ${steps.length} steps green${red.length > 0 ? `; red: ${red.join(", ")}` : ""}`);
const summary = spawnSync("node", ["scripts/summary.mjs"], { stdio: "inherit" });
process.exitCode = red.length > 0 || summary.status !== 0 ? 1 : 0;
