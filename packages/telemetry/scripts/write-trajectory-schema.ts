// Writes trajectory.schema.json, the published schema of one line of a trajectory. A test fails when it is out of date.
import { writeFileSync } from "node:fs";
import { trajectoryJsonSchema } from "../src/trajectory-events.ts";

const file = new URL("../trajectory.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(trajectoryJsonSchema(), undefined, 2)}\n`);
