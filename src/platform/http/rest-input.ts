import type { Request } from 'express';
import type { RawInput, ReadLarge } from '#context';
import { invalidField, type Issue } from '#errors';
import { takesQuery } from '#operations';
import { readJsonBody } from './json-body.js';
import { checkText } from './json-text.js';

/** The parts of a REST request: path parameters as Express decoded them, the query, and the JSON body. */
export async function readRestInput(request: Request, readLarge: ReadLarge): Promise<RawInput> {
  const { operation, caller } = request.context;
  const body =
    request.method === 'GET'
      ? undefined
      : await readJsonBody(request, operation?.maxBodyBytes, caller?.orgId, readLarge);
  const path = request.params as Record<string, unknown>;
  Object.values(path).forEach((value) => checkText(String(value)));
  return { path, query: { ...readQuery(request.originalUrl), ...resumption(request) }, body };
}

/** What a client of server-sent events adds when it reconnects. */
function resumption({ context, headers }: Request): { lastEventId?: string } {
  const lastEventId = headers['last-event-id'];
  if (context.operation?.output.kind !== 'stream' || typeof lastEventId !== 'string') return {};
  return { lastEventId };
}

/** @throws validation_error for a parameter that is given twice or cannot be decoded. */
export function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  if (start < 0) return query;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    const key = decode(name);
    if (key in query) throw invalidField([key], 'Send this parameter once, with commas between the items of a list.');
    query[key] = decode(rest.join('='));
  }
  return query;
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidField([], 'The query contains an invalid escape. Write it in UTF-8, percent-encoded.');
  }
  checkText(decoded);
  return decoded;
}

/** With more fields than this, enough are unknown to fill a response, so the others are not checked. */
const mostFields = 1_000;

/**
 * Path, query and body as one set of fields, so that all errors are reported together. Each name may occur in only one
 * of them.
 */
export function mergeInput(
  { path, query, body }: RawInput,
  operation: Parameters<typeof takesQuery>[0],
): { fields: Record<string, unknown>; issues: Issue[] } {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw invalidField([], 'The body must be a JSON object.');
  }
  const issues: Issue[] = [];
  const fields = Object.assign(Object.create(null), path) as Record<string, unknown>;
  const add = (source: Readonly<Record<string, unknown>>, isWelcome: boolean, message: string): void => {
    let left = mostFields;
    for (const name in source) {
      if ((left -= 1) < 0) return;
      const value = source[name];
      if (name in fields)
        issues.push({ path: [name], message: 'This field is part of the path. Remove it from here.' });
      else if (isWelcome) fields[name] = value;
      else issues.push({ path: [name], message });
    }
  };
  add(query, takesQuery(operation), 'Unknown query parameter. Send it in the body.');
  add(
    (body ?? {}) as Record<string, unknown>,
    !takesQuery(operation),
    'This request does not accept a body. Send the fields in the query.',
  );
  return { fields, issues };
}
