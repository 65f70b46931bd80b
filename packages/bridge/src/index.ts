export { cutOutputItem, cutToBytes, cutToJsonBytes, jsonBytes } from "./byte-budget.ts";
export { type GuestErrorFacts, toGuestError } from "./guest-error.ts";
export { type JsonTextResult, jsonDepth, parseJsonText, toJsonText } from "./json-text.ts";
export {
  type BridgeCall,
  type BridgeCallKind,
  type BridgeReply,
  bridgeCallKinds,
  type GuestFailure,
  type HostMessage,
  type OutputUse,
  type PackedVm,
  type PreparedInfo,
  type SharedSetup,
  type TemplateImage,
  type ThreadLimits,
  type ThreadMessage,
  type ThreadSetup,
  type TurnFault,
  type TurnState,
} from "./messages.ts";
export { parseCalls } from "./parse-calls.ts";
