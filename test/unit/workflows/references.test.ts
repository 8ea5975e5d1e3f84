import { filledIn, referencesIn } from '../../../src/features/workflows/references.js';
import { cpuMs } from '../../support/cpu.js';

const facts = { event: { count: 3, tags: ['a'] } };

describe('a text with variables', () => {
  it.each([
    ['{{event.count}}', true, 3],
    ['\n {{  event.tags\t}} ', true, ['a']],
    ['{{ event.count }} nights', false, '3 nights'],
    ['{{event.count}}{{ event.count}}', false, '33'],
    ['{{ }}', true, undefined],
  ])('such as %j has them in their places', (text, isAlone, filled) => {
    expect(referencesIn(text).map((reference) => reference.isAlone)).toContain(isAlone);
    expect(filledIn(text, facts)).toEqual(filled);
  });

  it.each(['{{', ' ', '{{ }'])('is read once, however many blanks come after %j', async (start) => {
    const text = `${start}${' '.repeat(100_000)}x`;
    const spent = await cpuMs(() => {
      expect(referencesIn(text)).toEqual([]);
      expect(filledIn(text, facts)).toBe(text);
    });
    expect(spent).toBeLessThan(500);
  });
});
