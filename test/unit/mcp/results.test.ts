import { errorAnswer, forbidden, notFound, ServiceError } from '#errors';
import { callResult, refusesRequest } from '../../../src/doors/mcp/results.js';

const answerTo = (error: ServiceError) => errorAnswer(error, 'r-1', { service: 'tasks', method: 'createTask' });

describe('refusesRequest', () => {
  it.each([
    ['an invalid credential', new ServiceError({ status: 401, message: 'x' }), true],
    ['an exhausted budget', new ServiceError({ status: 429, message: 'x' }), true],
    ['a missing second factor', forbidden('x', 'TWO_FACTOR_REQUIRED'), true],
    ['a challenge', new ServiceError({ status: 403, message: 'x', headers: { 'WWW-Authenticate': 'Bearer' } }), true],
    ['a missing permission', forbidden('TWO_FACTOR_REQUIRED'), false],
    ['a missing record', notFound('task'), false],
  ])('detects %s', (_, error, expected) => {
    expect(refusesRequest(answerTo(error))).toBe(expected);
  });
});

describe('callResult', () => {
  it('contains the body twice: as an object and as text', () => {
    const value = { data: { name: '"Röm\u2028' }, meta: { requestId: 'r' } };
    const body = JSON.stringify(value);
    const result = JSON.parse(callResult('legacy', { answer: { status: 201, value, headers: {} }, body })) as {
      content: { text: string }[];
      structuredContent: unknown;
    };
    expect(result).toEqual({ content: [{ type: 'text', text: body }], structuredContent: value });
  });
});
