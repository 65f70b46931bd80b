import { isJSONRPCErrorResponse, isJSONRPCResultResponse, type JSONRPCMessage } from "@modelcontextprotocol/client";

/**
 * Hands a message to the SDK. The SDK handles notifications one microtask later than responses, so an answer that came in the
 * same chunk as the last progress of its call would overtake and lose it; answers therefore wait that microtask.
 */
export function passOn(message: JSONRPCMessage, receiver: () => ((message: JSONRPCMessage) => void) | undefined): void {
  if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) queueMicrotask(() => receiver()?.(message));
  else receiver()?.(message);
}
