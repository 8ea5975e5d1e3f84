import { ServiceError } from '#errors';
import type { Operation } from '#operations';
import { mergeInput, readQuery } from '../../../src/platform/http/rest-input.js';
import { expectedVersionOf } from '../../../src/edge/input/if-match.js';

describe('readQuery', () => {
  it.each([
    ['/x', {}],
    ['/x?', {}],
    ['/x?a=1&b=2', { a: '1', b: '2' }],
    ['/x?a=b=c', { a: 'b=c' }],
    ['/x?a', { a: '' }],
    ['/x?&a=1&', { a: '1' }],
    ['/x?a+b=c%2Bd+e', { 'a b': 'c+d e' }],
    ['/x?a=%E2%98%83?', { a: '☃?' }],
  ])('%s', (url, query) => expect({ ...readQuery(url) }).toEqual(query));

  it.each(['/x?a=1&a=1', '/x?a=1&%61=2', '/x?a=%', '/x?a=%ff', '/x?a=%00', '/x?%00=1'])('rejects %s', (url) =>
    expect(() => readQuery(url)).toThrow(ServiceError),
  );

  it('treats __proto__ as a name like any other', () => {
    expect(Object.entries(readQuery('/x?__proto__=1'))).toEqual([['__proto__', '1']]);
  });
});

describe('mergeInput', () => {
  it('reads no more fields than a response could name', () => {
    let looked = 0;
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 1]));
    const body = new Proxy(fields, { get: (target, name) => ((looked += 1), target[name as string]) });
    mergeInput({ path: {}, query: {}, body }, { method: 'POST' } as Operation);
    expect(looked).toBeLessThan(2_000);
  });
});

describe('expectedVersionOf', () => {
  it.each([
    ['"3"', 3],
    [' "12" ', 12],
    ['*', undefined],
  ])('%s is %s', (header, version) => expect(expectedVersionOf(header)).toBe(version));

  it.each(['3', 'W/"3"', '""', '"3", "4"', '"-1"', '"3', '"1234567890"', ''])('rejects %s', (header) =>
    expect(() => expectedVersionOf(header)).toThrow(ServiceError),
  );
});
