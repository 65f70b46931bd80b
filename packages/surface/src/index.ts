export { type Activation, type ActivationInput, activate } from "./activate.ts";
export { assertPayload } from "./assert-payload.ts";
export { createModelTools, type ModelToolsOptions } from "./create-model-tools.ts";
export { type DescribeExecOptions, describeExec, type NamespaceText } from "./describe-exec.ts";
export { type PayloadFormat, payloadFormats } from "./payload-entries.ts";
export {
  toAnthropicTools,
  toGeminiTools,
  toOpenAiChatTools,
  toOpenAiResponsesTools,
  type WireTool,
} from "./provider-tools.ts";
