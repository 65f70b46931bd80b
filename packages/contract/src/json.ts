/** A value that JSON can hold; everything that crosses the host–guest bridge is one. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema as tools declare it: an object, or the booleans that mean "anything" and "nothing". Never trusted to be well formed. */
export type JsonSchema = { readonly [key: string]: unknown } | boolean;
