import { newApiKey } from '#regions';
import { refuseUnusableKey } from '../../src/processes/first-start.js';

const here = { environment: 'live', region: 'us' } as const;

it.each([
  ['with a wrong checksum', `sk_live_us_${'A'.repeat(49)}`, /last 6 characters do not match/],
  ['of another region', newApiKey('live', 'eu'), /belongs to region eu, but this is us/],
  ['of another environment', newApiKey('test', 'us'), /must begin with sk_live_/],
])('rejects a first key %s, which would always be 401', (_kind, key, message) => {
  expect(() => refuseUnusableKey(key, here)).toThrow(message);
});

it('accepts a generated key, and one that the operator chose', () => {
  expect(() => refuseUnusableKey(newApiKey('live', 'us'), here)).not.toThrow();
  expect(() => refuseUnusableKey(`sk_live_${'own_'.repeat(6)}`, here)).not.toThrow();
});
