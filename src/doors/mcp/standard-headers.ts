import type { IncomingHttpHeaders } from 'node:http';
import type { JsonRpcRequest } from './json-rpc.js';

/**
 * Whether the headers that mirror the body match it (MCP 2026-07-28, Streamable HTTP, standard request headers): the
 * version and the method are required, and `Mcp-Name` for calls of a tool and about a task.
 */
export function namesAgree(headers: IncomingHttpHeaders, { method, params }: JsonRpcRequest): boolean {
  if (headers['mcp-protocol-version'] === undefined || headers['mcp-method'] !== method) return false;
  const name = method === 'tools/call' ? params?.name : method.startsWith('tasks/') ? params?.taskId : undefined;
  return typeof name !== 'string' || decoded(headers['mcp-name']?.toString()) === name;
}

/** A value that is not plain ASCII is sent as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const encoded = value && /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return encoded === undefined || encoded === '' ? value : Buffer.from(encoded, 'base64').toString();
}
