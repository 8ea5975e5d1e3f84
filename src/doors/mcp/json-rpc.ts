import type { Response } from 'express';
import { sendText } from '../../platform/http/send-text.js';

/** JSON-RPC 2.0 as MCP uses it: an id is text or a whole number, params are an object. */
export type RequestId = string | number;

export interface JsonRpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The codes of JSON-RPC 2.0, section 5.1, that this service itself returns. */
export const parseError = -32_700;
export const invalidRequest = -32_600;
export const invalidParams = -32_602;
export const internalError = -32_603;
/** Of MCP 2026-07-28: the client did not declare what an answer needs. */
export const missingCapability = -32_021;

/** A response with an error; the id is null if the message's own id could not be read. */
export const errorResponse = (id: RequestId | null, error: { code: number; message: string; data?: unknown }): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error });

/** A response with a result that is already JSON. */
export const resultResponse = (id: RequestId, resultJson: string): string => `${resultHead(id)}${resultJson}}`;

/** A result around bytes that are ready to be sent. */
export type ResultBytes = readonly [before: string, bytes: Buffer, after: string];

/** The same for a result that contains bytes which are kept: they are sent without a copy. */
export function sendResult(response: Response, id: RequestId, [before, bytes, after]: ResultBytes): void {
  const [head, tail] = [`${resultHead(id)}${before}`, `${after}}`];
  response
    .status(200)
    .setHeader('Content-Type', 'application/json; charset=utf-8')
    .setHeader('Content-Length', Buffer.byteLength(head) + bytes.length + Buffer.byteLength(tail));
  response.write(head);
  response.write(bytes);
  response.end(tail);
}

const resultHead = (id: RequestId): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function sendMessage(response: Response, status: number, message: string): void {
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  sendText(response, message);
}
