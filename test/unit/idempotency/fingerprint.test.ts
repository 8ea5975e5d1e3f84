import { canonicalJson, fingerprintOf, readIdempotencyKey } from '#idempotency';

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: { d: [3, { z: 1, y: 2 }], c: null } }, '{"a":{"c":null,"d":[3,{"y":2,"z":1}]}}'],
    [{ a: undefined, b: '"' }, '{"b":"\\""}'],
    [[2, 1], '[2,1]'],
    ['x', '"x"'],
    [undefined, 'null'],
  ])('%j', (value, text) => expect(canonicalJson(value)).toBe(text));
});

describe('fingerprintOf', () => {
  it('is the same for the same request, in whatever order it is written', () => {
    expect(fingerprintOf('createTask', { a: 1, b: [1, 2] })).toBe(fingerprintOf('createTask', { b: [1, 2], a: 1 }));
  });

  it.each([
    ['createTask', { a: 2 }],
    ['createTask', { a: '1' }],
    ['createTask', { a: [1] }],
    ['createTask', { a: 1, b: null }],
    ['updateTask', { a: 1 }],
  ])('differs for %s %j', (operation, input) => {
    expect(fingerprintOf(operation, input)).not.toBe(fingerprintOf('createTask', { a: 1 }));
  });
});

describe('readIdempotencyKey', () => {
  it.each([
    ['abc', 'abc'],
    ['"abc"', 'abc'],
    ['a b', 'a b'],
    ['"', '"'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  ])('%s', (value, key) => expect(readIdempotencyKey(value)).toBe(key));

  it.each([undefined, '', ' ', '""', '"  "', 'x'.repeat(256), 'é', 'a\nb', 'a\tb', 7])('%s is none', (value) =>
    expect(readIdempotencyKey(value)).toBeUndefined(),
  );
});
