import fc from 'fast-check';
import { damageOf, mask, protectedPartsOf, unmask, variablesOf } from '../../../src/features/guides/masks.js';
import { cpuMs } from '../../support/cpu.js';

describe('the protected parts of a text', () => {
  it.each([
    ['Welcome, {{guest.name}} and {{ property.name }}!', ['{{guest.name}}', '{{ property.name }}']],
    ['See https://example.com/a?b=1#c, or www.example.org.', ['https://example.com/a?b=1#c', 'www.example.org']],
    ['(https://example.com/stay)', ['https://example.com/stay']],
    ['Write to ana.reis+stay@example.co.uk.', ['ana.reis+stay@example.co.uk']],
    ['The code is 48-21B, wifi2024 or `open sesame`.', ['48-21B', 'wifi2024', '`open sesame`']],
    ['On the 3rd floor, from 10am to 24h', ['3', '10', '24']],
    ['€1,250.50 at 15:30, +351 912-555', ['1,250.50', '15:30', '+351', '912-555']],
    ['٢٤ ساعة و ۱۲', ['٢٤', '۱۲']],
    ['no such thing here', []],
    ['⟦1⟧ of ours', ['⟦', '1', '⟧']],
  ])('of %s', (text, parts) => expect(protectedPartsOf(text)).toEqual(parts));

  it('include variables, however they are spaced', () => {
    expect(variablesOf('{{guest.name}} {{  property.name }} {{}}')).toEqual(['guest.name', 'property.name', '']);
  });

  it.each(['a', '.', '-', 'aA', 'a-', '_-', 'www.', 'https://', '`', '{{', '1-', 'a@', '⟦'])(
    'are found quickly in a long text of %j',
    async (piece) => {
      const text = `a@${piece.repeat(50_000)}é-${piece.repeat(50_000)}1`;
      expect(await cpuMs(() => protectedPartsOf(text))).toBeLessThan(1_000);
    },
  );

  it('are searched once, however many blanks a text has', async () => {
    const text = `{{${' '.repeat(100_000)}`;
    expect(await cpuMs(() => expect(variablesOf(text)).toEqual([]))).toBeLessThan(500);
  });
});

/** Texts made of words and of everything that is protected, with blanks as in sentences. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('{{guest.name}}', 'https://example.com/x?y=2', '`a b`', '4821B', '3rd', '⟦1⟧', '⟦', '15:30', '٢٤'),
  fc.nat().map(String),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' '));
const lines = /^⟦\d+⟧$/;

describe('masks, for any text', () => {
  it('are removed exactly as they were applied', () => {
    fc.assert(fc.property(text, (source) => unmask(mask(source).text, mask(source).parts) === source));
  });

  it('leave nothing visible that is protected', () => {
    fc.assert(
      fc.property(text, (source) => {
        const hidden = mask(source).text.replaceAll(/⟦\d+⟧/g, ' ');
        return !/\{\{[^{}]*\}\}|https?:|\p{Nd}|⟦|⟧/u.test(hidden);
      }),
    );
  });

  it('treat reordered parts as undamaged, and a lost, doubled or changed one as damaged', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9_999 }), { minLength: 1, maxLength: 6 }), fc.nat(), (numbers, at) => {
        const source = numbers.map((number) => `{{v${number}}} and ${number}`).join(' or ');
        const { text: masked, parts } = mask(source);
        const tokens = masked.split(' ').filter((word) => lines.test(word));
        const put = (words: string[]) => damageOf(source, unmask(words.join(' foi '), parts));
        const index = at % tokens.length;
        expect(put(tokens.toReversed())).toEqual({ lost: [], added: [] });
        expect(put(tokens.toSpliced(index, 1)).lost).toEqual([parts[index]]);
        expect(put([...tokens, tokens[index] as string]).added).toEqual([parts[index]]);
        expect(put(tokens.with(index, '77777')).added).toEqual(['77777']);
      }),
    );
  });

  it('treat an unknown token as damage', () => {
    expect(damageOf('Ring 12', unmask('Toque ⟦1⟧ ⟦2⟧', ['12'])).added).toEqual(['⟦', '2', '⟧']);
  });
});
