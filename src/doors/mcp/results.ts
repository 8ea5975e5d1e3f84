import type { Answer } from '#errors';
import type { ResultBytes } from './json-rpc.js';
import type { Written } from './list-cap.js';
import type { Era } from './protocol.service.js';
import { serverInfo } from './server.js';

const stamp = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo })}`;

/** How long a client may keep the list. Each call checks the permissions of its own moment. */
const freshForMs = 60_000;

/** The result of tools/list, which belongs to the caller only. */
export const listResult = (era: Era, tools: Buffer): ResultBytes =>
  era === 'modern'
    ? [`{"resultType":"complete","ttlMs":${freshForMs},"cacheScope":"private","tools":`, tools, `,${stamp}}`]
    : ['{"tools":', tools, '}'];

/** The result of tools/call: the REST response's value, as structured content and as text; concatenated as text. */
/** @param links to the records that the answer is about, as JSON after other content. */
export function callResult(era: Era, { answer, body }: Written, links = ''): string {
  const isError = answer.code !== undefined ? ',"isError":true' : '';
  const content = `"content":[{"type":"text","text":${JSON.stringify(body)}}${links}],"structuredContent":${body}${isError}`;
  return era === 'modern' ? `{"resultType":"complete",${content},${stamp}}` : `{${content}}`;
}

/**
 * Whether an error concerns the whole request, because clients act on its HTTP status: sign in (401), request a scope
 * or a second factor (403), wait (429). All other errors are results of the tool.
 */
export function refusesRequest({ status, code, headers }: Answer): boolean {
  if (status === 401 || status === 429) return true;
  return status === 403 && ('WWW-Authenticate' in headers || code === 'TWO_FACTOR_REQUIRED');
}
