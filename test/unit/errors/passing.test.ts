import { conflict, errorAnswer, isPassing, NotSetUp, ServiceError, unavailable } from '#errors';

const answerOf = (error: unknown) => errorAnswer(error, 'req_1', { service: 'tasks', method: 'createTask' });
const waits = { 'Retry-After': '1' };

it.each([
  ['a rate limit', new ServiceError({ status: 429, message: 'Later' }), true],
  ['an unexpected error', new Error('Broken'), true],
  ['an outage', unavailable('Later', 5), true],
  ['an earlier attempt in progress', new ServiceError({ status: 409, message: 'Later', headers: waits }), true],
  ['an error that says not to retry it', new NotSetUp('Never'), false],
  ['a state that does not allow it', conflict('CONFLICT', 'No'), false],
  ['a validation error', new ServiceError({ status: 400, message: 'No' }), false],
])('%s: whether another attempt may avoid it', (_, error, expected) => {
  expect(isPassing(answerOf(error))).toBe(expected);
});

it('a success is not an error', () => {
  expect(isPassing({ status: 202, headers: waits, value: { data: {}, meta: { requestId: 'req_1' } } })).toBe(false);
});
