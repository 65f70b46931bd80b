import { CodeModeError, type CodeModeTool, type HookPort, type JsonObject, messageOf } from "@code-mode/contract";
import { composeHooks } from "./compose-hooks.ts";
import { importPlugin } from "./import-plugin.ts";
import { toCodeModeTool } from "./plugin-tool.ts";
import type { Plugin } from "./plugin-types.ts";
import { pluginStepMs, withinLimit } from "./within-limit.ts";

/** Where namespaces of plugins go; only the loader talks to it (PLG-4). */
export type NamespaceSink = { register(pluginId: string, registration: unknown): void; clear(pluginId: string): void };

/** Options of `loadPlugins`. */
export type LoadPluginsOptions = {
  /** Folder that relative specifiers start from. */
  readonly baseDir: string;
  readonly namespaces?: NamespaceSink;
  /** Longest one step of a plugin may take; default 10 s. */
  readonly stepMs?: number;
  /** Receives log lines of plugins. */
  readonly log?: (pluginId: string, message: string, facts?: JsonObject) => void;
};

/** The plugins of a host; disposing ends them all at once, the last one first. */
export type LoadedPlugins = AsyncDisposable & {
  readonly tools: readonly CodeModeTool[];
  readonly hooks: HookPort;
  readonly ids: readonly string[];
};

/**
 * Loads and sets up plugins, in order. If any of them fails, those that had been set up are disposed and nothing
 * stays: a plugin may hold the hook that keeps the others safe, so starting without it is no option.
 * @throws CodeModeError `invalid_input`; the message starts with `plugin <specifier>:`
 */
export async function loadPlugins(specifiers: readonly string[], options: LoadPluginsOptions): Promise<LoadedPlugins> {
  const log = options.log ?? (() => undefined);
  const stepMs = options.stepMs ?? pluginStepMs;
  const plugins: Plugin[] = [];
  const files = new Map<string, string>();
  for (const specifier of specifiers) {
    const plugin = await importWithin(specifier, options.baseDir, stepMs);
    if (plugins.some(({ id }) => id === plugin.id))
      throw new CodeModeError(
        "invalid_input",
        `plugin ${specifier}: the id ${plugin.id} is taken by another plugin of the configuration. Ids must be unique.`,
      );
    plugins.push(plugin);
    files.set(plugin.id, specifier);
  }
  const started = new StartedPlugins({ namespaces: options.namespaces, log, files, stepMs });
  for (const plugin of plugins) await started.start(plugin);
  return {
    tools: plugins.flatMap((plugin) => (plugin.tools ?? []).map((tool) => toCodeModeTool(tool, plugin.id))),
    hooks: composeHooks(plugins, { warn: (message) => log("hooks", message) }),
    ids: plugins.map(({ id }) => id),
    [Symbol.asyncDispose]: () => started.dispose(),
  };
}

async function importWithin(specifier: string, baseDir: string, stepMs: number): Promise<Plugin> {
  let over = false;
  const loading = importPlugin(specifier, baseDir).finally(() => {
    over = true;
  });
  try {
    return await withinLimit("import", loading, stepMs);
  } catch (error) {
    if (over) throw error;
    throw new CodeModeError(
      "invalid_input",
      `plugin ${specifier}: ${messageOf(error)}. Its top-level await must end; correct it or take it out of "plugins".`,
      { cause: error },
    );
  }
}

type StartedParts = {
  readonly namespaces: NamespaceSink | undefined;
  readonly log: NonNullable<LoadPluginsOptions["log"]>;
  /** The specifier of each plugin, by id. */
  readonly files: ReadonlyMap<string, string>;
  readonly stepMs: number;
};

/** Plugins that were set up, for rollback and for the end. */
class StartedPlugins {
  #plugins: Plugin[] = [];
  readonly #namespaces: NamespaceSink | undefined;
  readonly #log: NonNullable<LoadPluginsOptions["log"]>;

  readonly #files: ReadonlyMap<string, string>;
  readonly #stepMs: number;

  constructor({ namespaces, log, files, stepMs }: StartedParts) {
    this.#namespaces = namespaces;
    this.#log = log;
    this.#files = files;
    this.#stepMs = stepMs;
  }

  async start(plugin: Plugin): Promise<void> {
    this.#plugins.push(plugin);
    try {
      this.#registerNamespaces(plugin);
      const log = (message: string, facts?: JsonObject): void => this.#log(plugin.id, message, facts);
      const setup = async (): Promise<void> => plugin.setup?.({ pluginId: plugin.id, log });
      await withinLimit("setup", setup(), this.#stepMs);
    } catch (error) {
      await this.dispose();
      throw new CodeModeError(
        "invalid_input",
        `plugin ${this.#files.get(plugin.id)}: plugin ${plugin.id}: setup failed (${messageOf(error)}). Nothing of it was kept; correct it or take it out of "plugins".`,
        { cause: error },
      );
    }
  }

  #registerNamespaces({ id, namespaces = [] }: Plugin): void {
    if (namespaces.length > 0 && this.#namespaces === undefined)
      this.#log(id, "its namespaces are left out: this host has no place for them.");
    for (const registration of namespaces) this.#namespaces?.register(id, registration);
  }

  /** All at once: several that hang cost the time of one. */
  async dispose(): Promise<void> {
    const plugins = this.#plugins.reverse();
    this.#plugins = [];
    await Promise.all(plugins.map((plugin) => this.#disposeOne(plugin)));
  }

  async #disposeOne(plugin: Plugin): Promise<void> {
    this.#namespaces?.clear(plugin.id);
    try {
      const dispose = async (): Promise<void> => plugin.dispose?.();
      await withinLimit("dispose", dispose(), this.#stepMs);
    } catch (error) {
      this.#log(plugin.id, `dispose failed: ${messageOf(error)} (from ${this.#files.get(plugin.id)})`);
    }
  }
}
