import { humanized, inWords } from '../../../src/console/frame/humanized.js';
import { sizeOf } from '../../../src/console/parts/size.js';

it.each([
  ['apiKeys', 'API keys', 'API keys'],
  ['api_key', 'API key', 'API key'],
  ['ratePerMinute', 'Rate per minute', 'rate per minute'],
  ['in_progress', 'In progress', 'in progress'],
])('%s is %s for a person, and %s within a sentence', (name, alone, within) => {
  expect([humanized(name), inWords(name)]).toEqual([alone, within]);
});

it.each([
  [0, '0 bytes'],
  [1_023, '1,023 bytes'],
  [1_536, '1.5 KiB'],
  [5 * 1_048_576, '5 MiB'],
  [5_120 * 1_048_576, '5 GiB'],
  [1_048_576 * 1_048_576, '1 TiB'],
  [4_096 * 1_048_576 * 1_048_576, '4,096 TiB'],
])('%i bytes are %s', (bytes, shown) => {
  expect(sizeOf(bytes)).toBe(shown);
});
