import { createGuestCatalog } from "@code-mode/catalog/guest";
import { runWorker } from "@code-mode/supervisor/thread";
import { prepareSource } from "@code-mode/transform";

// The one place where the thread side meets the packages it is composed of; esbuild bundles this file.
runWorker({ prepareSource, createGuestCatalog });
