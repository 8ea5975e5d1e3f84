/** A class whose fields are declared by decorators: an input, an output or a part of one. */
export type Shape = new () => object;

export type JsonSchema = Record<string, unknown>;
