import { type Answer, ask } from './ask.js';

/* Tests read any response of the service; the assertions are the types. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Reply extends Answer {
  body: Json;
}

type Extra = Record<string, string>;

export interface Api {
  key: string | undefined;
  /** Any request; a body that is a string is sent unchanged. */
  send(method: string, path: string, body?: unknown, headers?: Extra): Promise<Reply>;
  get(path: string, headers?: Extra): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Extra): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body: unknown, headers?: Extra): Promise<Reply>;
  delete(path: string, headers?: Extra): Promise<Reply>;
  /** The same service with another credential. */
  as(key: string | undefined): Api;
}

/** A client of the REST API; paths without /api/v1 get it as a prefix. */
export function apiOf(url: string, key: string | undefined): Api {
  const send: Api['send'] = async (method, path, body, extra = {}) => {
    const { status, headers, text } = await ask(
      url +
        (/^\/(api\/v1|mcp|docs|healthz|readyz|openapi|postman|llms|\.well-known)/.test(path) ? path : `/api/v1${path}`),
      {
        method,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...extra,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
    );
    const isJson = headers.get('content-type')?.includes('application/json');
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    key,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    as: (other) => apiOf(url, other),
  };
}
