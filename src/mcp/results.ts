import type { Answer } from '#errors';
import { type Era, serverInfo } from '../doors/mcp/protocol.service.js';

const stamp = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo })}`;

/**
 * The result of tools/list. What a credential may do can change at any moment, so the list is fresh for no time, and it
 * is the caller's own.
 */
export const listResult = (era: Era, tools: string): string =>
  era === 'modern'
    ? `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":${tools},${stamp}}`
    : `{"tools":${tools}}`;

/** The result of tools/call: the body that REST answers, as structured content and as text; put together as text. */
export function callResult(era: Era, { status, body }: Answer): string {
  const isError = status >= 400 ? ',"isError":true' : '';
  const content = `"content":[{"type":"text","text":${JSON.stringify(body)}}],"structuredContent":${body}${isError}`;
  return era === 'modern' ? `{"resultType":"complete",${content},${stamp}}` : `{${content}}`;
}

const secondFactorMissing = '{"error":{"type":"authorization_error","code":"TWO_FACTOR_REQUIRED"';

/**
 * Whether a refusal is one of the whole request, which clients act upon by its HTTP status: sign in (401), ask for a
 * scope or a second factor (403), wait (429). Everything else that is refused is a result of the tool.
 */
export function refusesRequest({ status, body, headers }: Answer): boolean {
  if (status === 401 || status === 429) return true;
  return status === 403 && ('WWW-Authenticate' in headers || body.startsWith(secondFactorMissing));
}
