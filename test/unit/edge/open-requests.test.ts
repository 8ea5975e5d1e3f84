import type { Request, Response } from 'express';
import { AddressLimitExceeded } from '../../../src/platform/limits/address-limit-exceeded.js';
import { admitOpen } from '../../../src/edge/overload/open-requests.js';

const limit = { isAllowed: false, totalHits: 9, timeToExpire: 7, isBlocked: true };
const denied = new AddressLimitExceeded(
  { ...limit, limit: 600, remaining: 0, resetAtEpochSeconds: 60, timeToBlockExpire: 7 },
  'vendor',
);

/** What happens to a request: checks, what the response is given, and whether the next handler gets it. */
async function asked({ isCovered, isDenied }: { isCovered: boolean; isDenied: boolean }): Promise<unknown[]> {
  const did: unknown[] = [];
  const admit = (): Promise<void> => {
    did.push('checked');
    return isDenied ? Promise.reject(denied) : Promise.resolve();
  };
  const response = {
    status: (code: number) => (did.push(code), response),
    setHeader: () => response,
    send: (body: string) => void did.push((JSON.parse(body) as { error: { type: string } }).error.type),
  };
  const request = { headers: {}, path: '/oauth/token', context: { requestId: 'req_1', action: {} } };
  const handle = admitOpen({ admit } as never, () => (isCovered ? { needsDatabase: true } : undefined));
  await handle(request as unknown as Request, response as unknown as Response, () => void did.push('continues'));
  return did;
}

it.each([
  ['continues if it is admitted', { isCovered: true, isDenied: false }, ['checked', 'continues']],
  ['gets a response if it is denied', { isCovered: true, isDenied: true }, ['checked', 429, 'rate_limit_error']],
  ['is not checked on another route', { isCovered: false, isDenied: true }, ['continues']],
])('a request to a public route %s', async (_, given, expected) => {
  expect(await asked(given)).toEqual(expected);
});
