import { setTimeout as pause } from "node:timers/promises";
import { describeModelError } from "../provider/describe-model-error.ts";
import { retryDelay } from "../provider/retry-delay.ts";
import { askModel, type ModelReply, type ModelRequest } from "./ask-model.ts";

/** A pause before the next attempt. */
export type Retry = { readonly attempt: number; readonly delayMs: number; readonly reason: string };

/**
 * Asks the model, again after a pause where the provider is busy or unreachable (PRV-1). Once text has been passed on
 * nothing is repeated: a listener would hear it twice.
 * @throws HttpError 502 `provider_error` saying what the provider answered, without the key; the signal's reason
 */
export async function askWithRetries(request: ModelRequest, onRetry: (retry: Retry) => void): Promise<ModelReply> {
  const { signal, model } = request;
  let heard = false;
  const onText = (delta: string): void => {
    heard = true;
    request.onText(delta);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await askModel({ ...request, onText });
    } catch (error) {
      signal.throwIfAborted();
      const delayMs = heard ? undefined : retryDelay(error, attempt);
      const described = describeModelError(error, { model, attempts: attempt });
      if (delayMs === undefined) throw described;
      onRetry({ attempt, delayMs, reason: described.message });
      await pause(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
