import { bytesOf, decode, DecodedBase64, free, isBase64 } from '#bytes';
import { cpuMs } from '../../support/cpu.js';

describe('isBase64', () => {
  it.each(['', 'AA==', 'AAA=', 'AAAA', 'ab+/', 'ab+/cd=='])('takes %j', (text) => expect(isBase64(text)).toBe(true));

  it.each([
    'A',
    'AA',
    'AAA',
    '=',
    '====',
    'A===',
    'AA=A',
    'AA==AAAA',
    'AAA\n',
    'AA A',
    'ab-_',
    'AA-A',
    'AA_A',
    'ŁŁŁŁ',
    'AAAŁ',
    'AA*A',
  ])('rejects %j', (text) => expect(isBase64(text)).toBe(false));

  const part = 'ab+/'.repeat(16_384);
  it.each([`${part}AA==`, `${part}${part}`])('takes a text of several parts', (text) =>
    expect(isBase64(text)).toBe(true),
  );
  it.each([`${part}A`, `${part.slice(4)}AA==AAAA`, `${part}${part.slice(1)}*`, `*${part.slice(1)}AAAA`])(
    'rejects one with a fault in any part',
    (text) => expect(isBase64(text)).toBe(false),
  );

  it('spends little more time on a file of 5 MB than decoding it takes', async () => {
    const text = Buffer.alloc(5_242_880, 'The key sticks. ').toString('base64');
    const beyond: number[] = [];
    // In turns, because the machine may become faster or slower in between.
    for (let turn = 0; turn < 5; turn += 1) {
      const decoding = await cpuMs(() => Buffer.from(text, 'base64'));
      beyond.push((await cpuMs(() => expect(isBase64(text)).toBe(true))) - 3 * decoding);
    }
    expect(Math.min(...beyond)).toBeLessThan(5);
  });
});

describe('DecodedBase64', () => {
  const text = Buffer.from('The key sticks').toString('base64');
  const decoded = new DecodedBase64(Buffer.from(decode(text)));

  it('has the bytes that the text stands for', () => {
    expect(decoded.bytes.toString()).toBe('The key sticks');
    expect(bytesOf(decoded)).toEqual(bytesOf(text));
  });

  it('is the text again in JSON, and in parts', () => {
    expect(JSON.stringify({ decoded })).toBe(JSON.stringify({ decoded: text }));
    expect([...decoded.parts(8)]).toEqual([text.slice(0, 8), text.slice(8, 16), text.slice(16)]);
  });
});

describe('free', () => {
  it('frees memory of its own', () => {
    const bytes = Buffer.from(new ArrayBuffer(100_000));
    free(bytes);
    expect(bytes.length).toBe(0);
  });

  it('leaves memory that others use too', () => {
    const [bytes, other] = [Buffer.from('The key'), Buffer.from('sticks')];
    free(bytes);
    expect([bytes.toString(), other.toString()]).toEqual(['The key', 'sticks']);
  });
});
