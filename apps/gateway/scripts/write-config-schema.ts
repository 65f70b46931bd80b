// Writes config.schema.json, which editors use for codemode.config files. A test fails when it is out of date.
import { writeFileSync } from "node:fs";
import { gatewayConfigJsonSchema } from "../src/config/config-schema.ts";

const file = new URL("../config.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(gatewayConfigJsonSchema(), undefined, 2)}\n`);
