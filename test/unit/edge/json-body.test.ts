import { jest } from '@jest/globals';
import { ServiceError } from '#errors';
import { loopTime } from '#loop-time';
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { usualMaxBytes, readJsonBody } from '../../../src/platform/http/json-body.js';
import { checkText, checkValue } from '../../../src/platform/http/json-text.js';
import { hasAtMost } from '../../../src/platform/http/json-values.js';
import { cpuMs, leastCpuMs } from '../../support/cpu.js';

const request = (chunks: (string | Buffer)[], headers: Record<string, string> = {}): IncomingMessage =>
  Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    headers: { 'transfer-encoding': 'chunked', 'content-type': 'application/json', ...headers },
  }) as unknown as IncomingMessage;

const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);

describe('readJsonBody', () => {
  it('joins a character that arrived in two pieces', async () => {
    const bytes = Buffer.from('{"a":"é"}');
    expect(await readJsonBody(request([bytes.subarray(0, 7), bytes.subarray(7)]))).toEqual({ a: 'é' });
  });

  it('frees the pieces of a large body', async () => {
    const piece = Buffer.from(new Uint8Array(100_000).fill(32).buffer);
    const { headers } = request([]);
    const large = Object.assign(Readable.from([Buffer.from('[1,'), piece, Buffer.from('2]')]), { headers });
    expect(await readJsonBody(large as IncomingMessage)).toEqual([1, 2]);
    expect(piece).toHaveLength(0);
  });

  it('reads each piece for the organization that sent it', async () => {
    const owners: (string | undefined)[] = [];
    function* pieces(): Generator<Buffer> {
      for (const piece of ['{"a":', '1', '}']) {
        owners.push(loopTime.owner);
        yield Buffer.from(piece);
      }
    }
    const { headers } = request([]);
    loopTime.enter('org_2');
    await readJsonBody(Object.assign(Readable.from(pieces()), { headers }) as IncomingMessage, undefined, 'org_1');
    expect(new Set(owners)).toEqual(new Set(['org_2', 'org_1']));
  });

  it('is undefined without a body', async () => {
    expect(await readJsonBody(request([], { 'transfer-encoding': '', 'content-length': '0' }))).toBeUndefined();
    expect(await readJsonBody(request([]))).toBeUndefined();
  });

  it.each([
    ['nested lists', `[${`${'['.repeat(60)}1${']'.repeat(60)},`.repeat(7_000)}1]`],
    ['objects', `[${'{},'.repeat(340_000)}1]`],
    ['fields', `{${'"":1,'.repeat(200_000)}"":1}`],
  ])('spends little time on too many %s', async (_, text) => {
    const refused = async () => await expect(readJsonBody(request([text]))).rejects.toMatchObject({ status: 400 });
    expect(await cpuMs(refused)).toBeLessThan(50);
  });

  it('does not count commas in texts as values', async () => {
    expect(await readJsonBody(request([JSON.stringify('\\",[{'.repeat(50_000))]))).toHaveLength(250_000);
  });

  it('counts no values in a long text, wherever its escapes are', async () => {
    for (const length of [4_095, 4_096, 4_097, 8_190, 8_191, 8_192]) {
      const text = `${'x'.repeat(length)}"${',[{'.repeat(20_000)}\\`;
      expect(await readJsonBody(request([JSON.stringify([text, text])]))).toEqual([text, text]);
    }
  });

  it('spends little time on the values of a file', async () => {
    const bytes = Buffer.from(JSON.stringify({ content: 'x'.repeat(7_000_000) }));
    expect(await leastCpuMs(() => expect(hasAtMost(bytes, 2)).toBe(true))).toBeLessThan(10);
  });

  describe('a large body', () => {
    let [turn, isOver] = [0, false];
    beforeAll(() => {
      const count = (): void => void ((turn += 1), isOver || setImmediate(count));
      count();
    });
    afterAll(() => void (isOver = true));
    afterEach(() => jest.restoreAllMocks());
    const large = JSON.stringify('x'.repeat(100_000));

    it('parses one in a turn of the event loop', async () => {
      const turns = new Set<number>();
      const parse = JSON.parse.bind(JSON);
      jest.spyOn(JSON, 'parse').mockImplementation((text) => {
        turns.add(turn);
        return parse(text) as unknown;
      });
      await Promise.all([large, large, large].map((text) => readJsonBody(request([text]))));
      expect(turns.size).toBe(3);
    });

    it('yields the event loop before it is parsed, checked and passed on', async () => {
      const turnsOf = async (text: string): Promise<number> => {
        const before = turn;
        await readJsonBody(request([text]));
        return turn - before;
      };
      expect((await turnsOf(large)) - (await turnsOf('"x"'))).toBeGreaterThanOrEqual(3);
    });
  });

  it('reads up to its limit, and rejects one byte more', async () => {
    const text = (size: number) => `"${'x'.repeat(size - 2)}"`;
    expect(await readJsonBody(request([text(usualMaxBytes)]))).toHaveLength(usualMaxBytes - 2);
    await expect(readJsonBody(request([text(usualMaxBytes + 1)]))).rejects.toMatchObject({ status: 400 });
    const announced = { 'content-length': String(usualMaxBytes + 1) };
    await expect(readJsonBody(request(['1'], announced))).rejects.toMatchObject({ status: 400 });
  });

  it.each([
    ['bytes that are not UTF-8', [Buffer.from([0x22, 0xc3, 0x22])]],
    ['an overlong form', [Buffer.from([0x22, 0xc0, 0x80, 0x22])]],
    ['text that is not JSON', ["{'a':1}"]],
  ])('rejects %s', async (_, chunks) => {
    await expect(readJsonBody(request(chunks))).rejects.toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('rejects unknown encodings', async () => {
    await expect(readJsonBody(request(['1'], { 'content-type': 'text/json' }))).rejects.toThrow(ServiceError);
    await expect(readJsonBody(request(['1'], { 'content-encoding': 'br' }))).rejects.toThrow(ServiceError);
    expect(await readJsonBody(request(['1'], { 'content-encoding': 'identity' }))).toBe(1);
  });
});

describe('checkValue', () => {
  it('accepts 64 levels and rejects 65', () => {
    expect(() => checkValue(nest(64))).not.toThrow();
    expect(() => checkValue(nest(65))).toThrow(ServiceError);
  });

  it.each(['{"__proto__":1}', '[{"a":{"__proto__":1}}]', '"\\u0000"', '{"\\u0000":1}', '["\\ud800"]', '{"\\udfff":1}'])(
    'rejects %s',
    (json) => expect(() => checkValue(JSON.parse(json))).toThrow(ServiceError),
  );

  it('accepts what a field may contain', () => {
    expect(() => checkValue(JSON.parse('{"a":["😀",1,null,true,{"proto":"\\u0001"}]}'))).not.toThrow();
    expect(() => checkText('👩‍🚀 \t\n')).not.toThrow();
  });
});
