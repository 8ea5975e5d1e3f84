import type { Reply } from './api.js';

/** The whole error response, as the specification defines it. */
export function expectEnvelope(
  { status, body, headers }: Pick<Reply, 'status' | 'body' | 'headers'>,
  expected: { status: number; type: string; code: string },
): void {
  expect({ status, type: body?.error?.type, code: body?.error?.code }).toEqual(expected);
  expect(Object.keys(body).sort()).toEqual(['error', 'meta']);
  expect(body.error.message).toEqual(expect.stringMatching(/\S/));
  expect(Object.keys(body.error.details ?? { some: 1 })).not.toHaveLength(0);
  if (body.error.type === 'validation_error') {
    expect(body.error.details).toMatchObject({
      service: expect.stringMatching(/\S/),
      method: expect.stringMatching(/\S/),
    });
  }
  expect(headers.get('x-request-id')).toBe(body.meta.requestId);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

export const refusals = {
  invalid: { status: 400, type: 'validation_error', code: 'VALIDATION_ERROR' },
  unauthorized: { status: 401, type: 'authentication_error', code: 'UNAUTHORIZED' },
  forbidden: { status: 403, type: 'authorization_error', code: 'FORBIDDEN' },
  absent: { status: 404, type: 'not_found_error', code: 'NOT_FOUND' },
  conflict: { status: 409, type: 'conflict_error', code: 'CONFLICT' },
  inapplicable: { status: 422, type: 'business_rule_error', code: 'PERMANENT_MUTATION_ERROR' },
  limited: { status: 429, type: 'rate_limit_error', code: 'RATE_LIMITED' },
  unavailable: { status: 503, type: 'service_unavailable', code: 'SERVICE_UNAVAILABLE' },
} as const;

/** The fields that a validation error names. */
export const actionOf = ({ body }: Pick<Reply, 'body'>): { service: string; method: string } => {
  const { service, method } = body.error.details;
  return { service, method };
};

/** The paths of details.issues, dotted. */
export const issuePaths = ({ body }: Pick<Reply, 'body'>): string[] =>
  (body.error.details.issues as { path: (string | number)[] }[]).map(({ path }) => path.join('.'));
