import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveConfig } from "../../src/config/load-config.ts";
import { gatewayToken } from "../../src/http/gateway-token.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

it("GW-1 the first start generates a token that only its owner can read, later starts find it", async () => {
  using folder = new TemporaryFolder();
  const config = resolveConfig({}, { baseDir: folder.path });
  const { token, where } = await gatewayToken(config);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(where).toBe(join(folder.path, ".codemode", "token"));
  expect([statSync(where).mode & 0o777, readFileSync(where, "utf8").trim()]).toEqual([0o600, token]);
  chmodSync(where, 0o644);
  expect((await gatewayToken(config)).token).toBe(token);
  expect(statSync(where).mode & 0o777).toBe(0o600);
});

it("GW-1 starts at the same time agree on one token, and a configured one needs no file", async () => {
  using folder = new TemporaryFolder();
  const config = resolveConfig({}, { baseDir: folder.path });
  const tokens = await Promise.all([1, 2, 3].map(async () => (await gatewayToken(config)).token));
  expect(new Set(tokens).size).toBe(1);
  const own = resolveConfig({ gateway: { dataDir: "/dev/null/x", auth: { token: "mine" } } }, { baseDir: folder.path });
  expect((await gatewayToken(own)).token).toBe("mine");
});

it("a data folder that cannot be used or an empty token file is an error that says what to set", async () => {
  using folder = new TemporaryFolder();
  const file = folder.write("not-a-folder", "");
  const config = resolveConfig({ gateway: { dataDir: file } }, { baseDir: folder.path });
  await expect(gatewayToken(config)).rejects.toThrow("gateway.dataDir");
  folder.write(".codemode/token", "\n");
  await expect(gatewayToken(resolveConfig({}, { baseDir: folder.path }))).rejects.toThrow("is empty");
});
