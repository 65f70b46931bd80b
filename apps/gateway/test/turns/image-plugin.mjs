/** A plugin with a tool that shows an image to the model itself. */
export default {
  id: "images",
  tools: [
    {
      name: "show",
      description: "Shows an image.",
      catalogMode: "direct-only",
      parameters: { type: "object", properties: { png: { type: "string" } } },
      execute: ({ png }) => ({ path: "a.png", content: [{ type: "image", data: png, mimeType: "image/png" }] }),
    },
    { name: "other", description: "Makes code mode worth it.", parameters: {}, execute: () => 1 },
  ],
};
