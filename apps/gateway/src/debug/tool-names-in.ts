type Fields = { readonly [key: string]: unknown };

/** Names of the tools in the body of a model request, in the formats of OpenAI, Anthropic and Google. */
export function toolNamesIn(body: unknown): readonly string[] {
  const { tools } = fields(body);
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) => {
    const { name, function: openAi, functionDeclarations: google } = fields(tool);
    const declared = Array.isArray(google) ? google.map((declaration) => fields(declaration).name) : [];
    return [name, fields(openAi).name, ...declared].filter((found) => typeof found === "string");
  });
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
