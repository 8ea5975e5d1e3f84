import type { Json } from './api.js';
import { ask } from './ask.js';

export interface ToolReply {
  /** The HTTP status: 200 for a tool's result, including an error. */
  status: number;
  headers: Headers;
  isError: boolean;
  /** The structured content, or what was returned instead of a result. */
  body: Json;
}

export interface Mcp {
  call(tool: string, args?: object, extra?: { headers?: Record<string, string>; meta?: object }): Promise<ToolReply>;
  /** The result of tools/list; `query` such as `?readonly=true`. */
  tools(query?: string): Promise<Json[]>;
  /** The same service with another credential. */
  as(key: string | undefined): Mcp;
  /** The same service at an address such as `?toolsets=core`. */
  at(query: string): Mcp;
}

/** A small client of /mcp, of revision 2025-11-25. */
export function mcpOf(url: string, key: string | undefined, address = ''): Mcp {
  const post = async (method: string, params: object, query = address, extra: Record<string, string> = {}) => {
    const { status, headers, text } = await ask(`${url}/mcp${query}`, {
      method: 'POST',
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...extra,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return { status, headers, body: text === '' ? undefined : (JSON.parse(text) as Json) };
  };
  return {
    call: async (name, args = {}, { headers, meta } = {}) => {
      const params = { name, arguments: args, ...(meta && { _meta: meta }) };
      const { body, ...reply } = await post('tools/call', params, address, headers);
      const result = body.result;
      return { ...reply, isError: result?.isError === true, body: result?.structuredContent ?? body };
    },
    tools: async (query) => {
      const { body } = await post('tools/list', {}, query);
      return body.result.tools;
    },
    as: (other) => mcpOf(url, other, address),
    at: (query) => mcpOf(url, key, query),
  };
}
