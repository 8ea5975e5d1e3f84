import type { Request } from 'express';
import type { RawInput } from '#context';
import { invalidField, type Issue } from '#errors';
import { takesQuery } from '#operations';
import { checkText, readJsonBody } from './json-body.js';

/** What a REST request brought: path parameters as Express decoded them, the query, and the JSON body. */
export async function readRestInput(request: Request): Promise<RawInput> {
  const { operation, caller } = request.context;
  const body =
    request.method === 'GET' ? undefined : await readJsonBody(request, operation?.maxBodyBytes, caller?.orgId);
  const path = request.params as Record<string, unknown>;
  Object.values(path).forEach((value) => checkText(String(value)));
  return { path, query: { ...readQuery(request.originalUrl), ...resumption(request) }, body };
}

/** What a client of server-sent events sends by itself when it connects again. */
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
    if (key in query)
      throw invalidField([key], 'Give this parameter once; the items of a list are separated by commas.');
    query[key] = decode(rest.join('='));
  }
  return query;
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidField([], 'The query holds an escape that cannot be decoded; write it as UTF-8, percent-encoded.');
  }
  checkText(decoded);
  return decoded;
}

/**
 * Path, query and body as one set of fields, so that everything wrong with them is told together. A name may come from
 * one of them only.
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
  const add = (source: object, isWelcome: boolean, message: string): void => {
    for (const [name, value] of Object.entries(source)) {
      if (name in fields)
        issues.push({ path: [name], message: 'This field is part of the path; give it there alone.' });
      else if (isWelcome) fields[name] = value;
      else issues.push({ path: [name], message });
    }
  };
  add(query, takesQuery(operation), 'This is no query parameter here; send it in the body.');
  add(body ?? {}, !takesQuery(operation), 'This request takes no body; anything it knows goes in the query.');
  return { fields, issues };
}
