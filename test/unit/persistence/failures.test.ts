import { ServiceError } from '#errors';
import { asUnavailable } from '../../../libs/persistence/failures.js';

const withCode = (code: string): Error => Object.assign(new Error('refused'), { code });

describe('an error of the database after which the same request may be sent again', () => {
  it.each([
    ['a server that is not there', withCode('ECONNREFUSED'), 'The database is unreachable. Send the request again.'],
    ['a server that restarts', withCode('57P01'), 'The database is unreachable. Send the request again.'],
    [
      'no free connection',
      new Error('No response within 800 ms'),
      'The database did not respond in time. Send the request again.',
    ],
    [
      'a statement that took too long',
      withCode('57014'),
      'The database did not respond in time. Send the request again.',
    ],
    ['a lock', withCode('55P03'), 'Other requests are changing the same records. Send the request again.'],
    ['a deadlock', withCode('40P01'), 'Other requests are changing the same records. Send the request again.'],
  ])('is 503, and says why: %s', (_, error, message) => {
    const answer = asUnavailable(error);
    expect(answer).toBeInstanceOf(ServiceError);
    expect(answer).toMatchObject({ status: 503, message, cause: error });
  });
});

it('any other error stays what it is', () => {
  const error = withCode('23505');
  expect(asUnavailable(error)).toBe(error);
});
