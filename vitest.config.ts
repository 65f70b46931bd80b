import { existsSync, readdirSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const sourceConditions = ["@code-mode/source"];
const serial = "**/*.serial.test.ts";

/** Sources are tested, so no build is needed; worker threads that a test starts load `.ts` of sibling packages too. */
const fromSource = {
  resolve: { conditions: sourceConditions },
  ssr: { resolve: { conditions: [...sourceConditions, "node", "import", "module", "default"] } },
};

function project(name: string, root: string, groupOrder = 0): TestProjectInlineConfiguration {
  return {
    ...fromSource,
    root,
    test: {
      name,
      include: ["test/**/*.test.ts"],
      exclude: ["**/node_modules/**", serial],
      environment: "node",
      pool: "forks",
      execArgv: sourceConditions.map((condition) => `--conditions=${condition}`),
      testTimeout: 30_000,
      hookTimeout: 30_000,
      sequence: { groupOrder },
    },
  };
}

const packages = readdirSync("packages")
  .filter((name) => existsSync(`packages/${name}/package.json`))
  .map((name) => project(name, `packages/${name}`));

/** End-to-end tests drive the built gateway, so they see `dist` as a user does. */
function builtOnly(name: string, root: string): TestProjectInlineConfiguration {
  const { test } = project(name, root, 1);
  const include = ["{test,scenarios}/**/*.test.ts"];
  return { root, test: { ...test, include, execArgv: [], testTimeout: 60_000, hookTimeout: 60_000 } };
}

/** Tests that wait for deadlines run alone, after all others: a busy machine must not decide their outcome. */
function oneByOne(): TestProjectInlineConfiguration {
  const { test, ...rest } = project("serial", ".", 2);
  return {
    ...rest,
    test: {
      ...test,
      include: [`{packages/*,apps/*}/test/${serial}`, `e2e/test/${serial}`],
      exclude: ["**/node_modules/**"],
      fileParallelism: false,
      maxWorkers: 1,
    },
  };
}

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    passWithNoTests: true,
    reporters: ["default", ["json", { outputFile: ".results/vitest.json" }]],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**", "apps/*/src/**"],
      reporter: ["text-summary", "json-summary"],
    },
    projects: [...packages, project("gateway", "apps/gateway"), builtOnly("e2e", "e2e"), oneByOne()],
  },
});
