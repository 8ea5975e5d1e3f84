import type { Response } from 'express';

/** JSON-RPC 2.0 as MCP uses it: an id is text or a whole number, params are an object. */
export type RequestId = string | number;

export interface JsonRpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The codes of JSON-RPC 2.0, section 5.1, that this service answers by itself. */
export const parseError = -32_700;
export const invalidRequest = -32_600;
export const invalidParams = -32_602;

/** A response that holds an error; the id is null where the message's own could not be read. */
export const errorResponse = (id: RequestId | null, error: { code: number; message: string; data?: unknown }): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error });

/** A response that holds a result which is JSON already. */
export const resultResponse = (id: RequestId, resultJson: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function sendMessage(response: Response, status: number, message: string | Buffer): void {
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8').send(message);
}
