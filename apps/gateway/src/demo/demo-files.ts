import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Files of the demo's workspace. */
const files: Readonly<Record<string, string>> = {
  "prices.json": '{ "apples": 3, "pears": 4, "plums": 5 }\n',
  "orders.txt": "2026-11-03 apples 5\n2026-11-04 pears 1\n2026-11-09 apples 2\n",
  "notes/welcome.md": "# Fruit stand\n\nPrices are in prices.json, orders in orders.txt.\n",
};

/** Writes the demo's workspace into an empty folder. */
export async function writeDemoFiles(folder: string): Promise<void> {
  await mkdir(join(folder, "notes"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
