import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { environments, newApiKey, randomBase62, readApiKey, regions } from '#regions';
import { foreignKey } from '../../support/foreign-key.js';

describe('newApiKey', () => {
  it('contains its environment and region, and ends with a checksum', () => {
    const key = newApiKey('test', 'apac');
    expect(key).toMatch(/^sk_test_apac_[0-9A-Za-z]{49}$/);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const written = Array.from(key.slice(-6)).reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(written).toBe(crc32(key.slice(0, -6)));
  });

  it('is found in a text by the regular expression of docs/api-keys.md', () => {
    const written = /```regex\n(.+)\n```/.exec(readFileSync('docs/api-keys.md', 'utf8'))?.[1] as string;
    const keys = environments.flatMap((environment) => regions.map((region) => newApiKey(environment, region)));
    const text = `API_KEY=${keys.join('\n"')}" ${keys.map((key) => `x${key} ${key}0`).join(' ')}`;
    expect(text.match(new RegExp(written, 'g'))).toEqual(keys);
  });

  it('never returns the same twice', () => {
    expect(new Set(Array.from({ length: 100 }, () => newApiKey('live', 'us'))).size).toBe(100);
    expect(randomBase62()).toMatch(/^[0-9A-Za-z]{43}$/);
  });
});

describe('readApiKey', () => {
  it('reads the parts of a key, even if another program wrote it', () => {
    for (const key of [newApiKey('live', 'eu'), foreignKey('live', 'eu')]) {
      expect(readApiKey(key)).toEqual({ environment: 'live', region: 'eu', intact: true });
    }
  });

  it('detects every wrong digit', () => {
    const key = newApiKey('live', 'us');
    for (let at = 'sk_live_us_'.length; at < key.length; at += 1) {
      const misread = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      expect(readApiKey(misread)?.intact).toBe(false);
    }
  });

  it('accepts an operator’s own key, which has no region and no checksum', () => {
    expect(readApiKey('sk_test_an_operators_own_key_0123')).toEqual({ environment: 'test', intact: true });
  });

  it.each([
    '',
    'sk_live_short',
    'sk_prod_0123456789012345678901234',
    'pk_live_0123456789012345678901234',
    'sk_live_0123456789-12345678901234',
  ])('%s is not a key', (key) => expect(readApiKey(key)).toBeUndefined());
});
