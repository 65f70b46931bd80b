import type { GatewayConfigInput } from "../src/config/config-schema.ts";
import { resolveConfig } from "../src/config/load-config.ts";
import type { StartGatewayOptions } from "../src/http/start-gateway.ts";
import { type OpenedGateway, openGateway } from "../src/open-gateway.ts";
import { createMemoryTranscriptStore } from "../src/store/memory-transcript-store.ts";
import type { TranscriptStore } from "../src/store/transcript-store.ts";
import type { TemporaryFolder } from "./temporary-folder.ts";

/** The token of every gateway of these tests. */
export const testToken = "a-token-of-this-test";

/** What a test says about its gateway. */
export type TestGatewayOptions = {
  readonly config: GatewayConfigInput;
  readonly store?: TranscriptStore;
  readonly http?: Partial<StartGatewayOptions>;
};

/** A gateway on a free port over a folder; transcripts in memory unless a store is given. */
export function openTestGateway(folder: TemporaryFolder, options: TestGatewayOptions): Promise<OpenedGateway> {
  const { config, store = createMemoryTranscriptStore(), http } = options;
  return openGateway({
    config: resolveConfig({ workspace: ".", ...config }, { baseDir: folder.path }),
    token: testToken,
    store,
    http: { port: 0, ...http },
  });
}
