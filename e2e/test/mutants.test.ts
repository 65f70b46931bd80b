import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rules } from "../../tools/mutate/rules.ts";

const repository = join(import.meta.dirname, "../..");

it.each(rules.flatMap(({ name, mutants }) => mutants.map((mutant) => [name, mutant.file, mutant.find] as const)))(
  "the change that switches off the rule %s still fits %s",
  (_name, file, find) => {
    expect(readFileSync(join(repository, file), "utf8").split(find)).toHaveLength(2);
  },
);
