import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

type Rule = { readonly name: string; readonly mutants: readonly { readonly file: string; readonly find: string }[] };

const repository = join(import.meta.dirname, "../..");
const { rules } = (await import(pathToFileURL(join(repository, "tools/mutate/rules.ts")).href)) as {
  readonly rules: readonly Rule[];
};

it.each(rules.flatMap(({ name, mutants }) => mutants.map(({ file, find }) => [name, file, find] as const)))(
  "the change that switches off the rule %s still fits %s",
  (_name, file, find) => {
    expect(readFileSync(join(repository, file), "utf8").split(find)).toHaveLength(2);
  },
);
