import type { Request } from 'express';
import { visitorOf } from '../../../src/edge/overload/shedding.middleware.js';

const ownerOf = (path: string, headers: object = {}) => visitorOf({ ip: '192.0.2.1', path, headers } as Request);

it('a request without a credential counts for its address, and one with a credential for nobody until it is verified', () => {
  expect(ownerOf('/calendars/abc.ics')).toBe('address 192.0.2.1');
  expect(ownerOf('/calendars/abc.ics', { authorization: 'Bearer x' })).toBeUndefined();
});

it('a probe counts for nobody, so that it delays no organization', () => {
  expect(['/healthz', '/readyz'].map((path) => ownerOf(path))).toEqual([undefined, undefined]);
});
