/**
 * The specification's table of errors (Interface Specification, "Errors"): one row per status. A status that is not in
 * the table is reported as internal_error.
 */
export const errorTypes = [
  { status: 400, type: 'validation_error', code: 'VALIDATION_ERROR' },
  { status: 401, type: 'authentication_error', code: 'UNAUTHORIZED' },
  { status: 403, type: 'authorization_error', code: 'FORBIDDEN' },
  { status: 404, type: 'not_found_error', code: 'NOT_FOUND' },
  { status: 409, type: 'conflict_error', code: 'CONFLICT' },
  { status: 422, type: 'business_rule_error', code: 'PERMANENT_MUTATION_ERROR' },
  { status: 429, type: 'rate_limit_error', code: 'RATE_LIMITED' },
  { status: 500, type: 'internal_error', code: 'INTERNAL_ERROR' },
  { status: 502, type: 'provider_error', code: 'CONNECTOR_ERROR' },
  { status: 503, type: 'service_unavailable', code: 'SERVICE_UNAVAILABLE' },
] as const;

export type ErrorType = (typeof errorTypes)[number]['type'];
type ErrorRow = { readonly status: number; readonly type: ErrorType; readonly code: string };

const rows = new Map<number, ErrorRow>(errorTypes.map((row) => [row.status, row]));
const internal: ErrorRow = { status: 500, type: 'internal_error', code: 'INTERNAL_ERROR' };

export const errorRow = (status: number): ErrorRow => rows.get(status) ?? internal;
