import { createHash } from 'node:crypto';
import { DecodedBase64 } from '#bytes';
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
  it('is the same for the same request, in whatever order it is written', async () => {
    const fingerprint = await fingerprintOf('createTask', { a: 1, b: [1, 2] });
    expect(await fingerprintOf('createTask', { b: [1, 2], a: 1 })).toBe(fingerprint);
  });

  it.each([
    ['a', 262_144],
    ['a', 262_145],
    ['\n', 600_000],
    ['a😀', 262_144],
    ['😀', 400_000],
  ])('is the same for a long text of %j, which is hashed piece by piece', async (text, times) => {
    const input = { a: 1, b: [text.repeat(times), 'x', text.repeat(times)], c: '\0' };
    const expected = createHash('sha256')
      .update(`attach\0${JSON.stringify(input)}`)
      .digest('hex');
    expect(await fingerprintOf('attach', input)).toBe(expected);
  });

  it.each([3, 600_001])('is the same for a file of %i bytes that is decoded already', async (length) => {
    const bytes = Buffer.alloc(length, 'The key sticks. ');
    const decoded = await fingerprintOf('attach', { content: new DecodedBase64(bytes) });
    expect(decoded).toBe(await fingerprintOf('attach', { content: bytes.toString('base64') }));
  });

  it('yields while a long text is hashed', async () => {
    let [turns, isOver] = [0, false];
    const hashing = fingerprintOf('attach', { content: 'x'.repeat(5_000_000) }).finally(() => (isOver = true));
    for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    await hashing;
    expect(turns).toBeGreaterThan(15);
  });

  it.each([
    ['createTask', { a: 2 }],
    ['createTask', { a: '1' }],
    ['createTask', { a: [1] }],
    ['createTask', { a: 1, b: null }],
    ['updateTask', { a: 1 }],
  ])('differs for %s %j', async (operation, input) => {
    expect(await fingerprintOf(operation, input)).not.toBe(await fingerprintOf('createTask', { a: 1 }));
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

  it.each([undefined, '', ' ', '""', '"  "', 'x'.repeat(256), 'é', 'a\nb', 'a\tb', 7])('%s is invalid', (value) =>
    expect(readIdempotencyKey(value)).toBeUndefined(),
  );
});
