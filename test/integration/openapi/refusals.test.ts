import { conflict, describeRefusal, publishRefusal, rejections } from '#errors';
import { Catalogue, type Operation } from '#operations';
import { withDetails } from '../../../src/edge/guards/refusal-details.dto.js';
import type { Json } from '../../support/api.js';
import { expectDeclared } from '../../support/refusals.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let document: Json;
beforeAll(async () => {
  service = await startApp();
  document = (await service.api.get('/openapi.json')).body;
});
afterAll(() => service.close());

const entries = (): Json[] => Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods));
const entryOf = (name: string): Json => entries().find(({ operationId }) => operationId === name);

/** The schema of `error` in the response of a status, wherever it is defined. */
function errorOf(entry: Json, status: number): Json {
  const { $ref, content } = entry.responses[status];
  const response = $ref ? document.components.responses[$ref.split('/').at(-1)] : { content };
  return response.content['application/json'].schema.properties.error;
}

describe('errors as data', () => {
  it('are the same codes in x-errors and in the schema of each status', () => {
    for (const entry of entries()) {
      const byStatus = Map.groupBy<number, Json>(entry['x-errors'], ({ status }) => status);
      const failures = Object.keys(entry.responses).filter((status) => Number(status) >= 400);
      expect([entry.operationId, ...byStatus.keys()]).toEqual([entry.operationId, ...failures.map(Number)]);
      for (const [status, all] of byStatus) {
        const { code, details } = errorOf(entry, status).properties;
        expect(code.enum).toEqual([...new Set(all.map((one: Json) => one.code))]);
        const keys = all.flatMap(({ key }: Json) => key ?? []);
        expect(details.properties?.key?.enum ?? []).toEqual(keys);
      }
    }
  });

  it('include what an operation declares, what every one of its kind may return, and what other features add', () => {
    expect(entryOf('completeTask')['x-errors']).toEqual([
      { status: 400, code: 'VALIDATION_ERROR' },
      { status: 401, code: 'UNAUTHORIZED' },
      { status: 403, code: 'FORBIDDEN' },
      { status: 403, code: 'ADDRESS_NOT_ALLOWED' },
      { status: 403, code: 'TWO_FACTOR_REQUIRED' },
      { status: 403, code: 'ORGANIZATION_WIDE' },
      { status: 403, code: 'FORBIDDEN_BY_RULE' },
      { status: 403, code: 'APPROVAL_REFUSED' },
      { status: 403, code: 'APPROVAL_WITHDRAWN' },
      { status: 403, code: 'APPROVAL_EXPIRED' },
      { status: 404, code: 'NOT_FOUND' },
      { status: 409, code: 'CONFLICT' },
      { status: 409, code: 'VERSION_MISMATCH' },
      { status: 409, code: 'TOO_MANY_APPROVALS' },
      { status: 409, code: 'CHECKLIST_INCOMPLETE' },
      { status: 409, code: 'TASK_ARCHIVED' },
      { status: 409, code: 'TASK_NOT_OPEN' },
      { status: 422, code: 'PERMANENT_MUTATION_ERROR' },
      { status: 429, code: 'RATE_LIMITED' },
      { status: 500, code: 'INTERNAL_ERROR' },
      { status: 503, code: 'SERVICE_UNAVAILABLE' },
    ]);
    const codes = entryOf('archiveUnit')['x-errors'].map(({ code }: Json) => code);
    expect(codes).toEqual(expect.arrayContaining(['UNIT_IN_USE', 'UNIT_HAS_ACCESS_CODES', 'UNIT_HAS_CONNECTIONS']));
  });

  it('include every known error at an operation', () => {
    const declared = new Set(entries().flatMap((entry) => entry['x-errors'].map(({ key }: Json) => key)));
    expect([...rejections().keys()].filter((key) => !declared.has(key))).toEqual([]);
  });

  it('include the message of each, with … for what differs each time', () => {
    expect(document['x-refusals']).toContainEqual({
      status: 409,
      code: 'TASK_NOT_PENDING',
      message: 'The task is …; only a pending task can be started.',
    });
  });

  it('have types for the details of each error, and details without a class are rejected', () => {
    const details = { $ref: '#/components/schemas/AccessCodesDetails' };
    expect(document['x-refusals']).toContainEqual(expect.objectContaining({ code: 'DEVICE_IN_USE', details }));
    expect(errorOf(entryOf('archiveDevice'), 409).oneOf).toContainEqual({
      properties: { code: { const: 'DEVICE_IN_USE' }, details },
      required: ['code', 'details'],
    });
    const open = describeRefusal(() => conflict('TOO_LATE', 'It is too late.', { until: 'noon' }));
    expect(() => withDetails(open)).toThrow('Describe the details of TOO_LATE');
  });

  it('fail the tests of an operation that returns an undeclared error', () => {
    const operation = service.app
      .get(Catalogue)
      .all()
      .find((one) => one.operation.name === 'getTask')?.operation as Operation;
    const error = { type: 'conflict_error', code: 'TASK_ARCHIVED', message: 'The task is archived.' };
    const value = { error, meta: { requestId: 'one' } };
    publishRefusal(operation, { status: 409, code: error.code, headers: {}, value });
    expect(expectDeclared).toThrow('Undeclared refusals: getTask 409 TASK_ARCHIVED');
    expect(expectDeclared).not.toThrow();
  });
});
