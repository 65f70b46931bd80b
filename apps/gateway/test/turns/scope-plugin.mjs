/** A plugin that tells what a tool and a hook learn about a call, on an object that the test owns. */
const seen = () => {
  globalThis.testSeen ??= [];
  return globalThis.testSeen;
};

export default {
  id: "scope",
  hooks: {
    before_tool_call: (event, ctx) => {
      if (event.toolName !== "whoami") return undefined;
      seen().push({ hook: "before", parent: event.parentToolCallId, sender: ctx.sender, sessionId: ctx.sessionId });
      return { input: { ...event.input, rewritten: true } };
    },
    after_tool_call: (event) => {
      if (event.toolName === "whoami") seen().push({ hook: "after", toolId: event.toolId });
    },
  },
  tools: [
    {
      name: "whoami",
      description: "Tells who calls.",
      parameters: { type: "object", properties: {}, additionalProperties: true },
      execute: (input, { signal, onUpdate, log, ...context }) => {
        onUpdate("half way");
        seen().push({ tool: context, input });
        return context;
      },
    },
    {
      name: "hold",
      description: "Needs a person.",
      parameters: {},
      approval: "always",
      execute: () => seen().push("ran"),
    },
  ],
};
