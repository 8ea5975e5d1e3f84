import { destinationsIn } from '../../../src/features/templates/writing/destinations.js';
import { cpuMs } from '../../support/cpu.js';

describe('the destinations of a text', () => {
  it.each([
    ['See https://Example.com/a?b=c#d, and www.example.org.', ['example.com', 'example.org']],
    ['<a href="//example.com:8443/x">', ['example.com:8443']],
    ['https://www.example.com', ['example.com']],
    ['url(https://example.com/a.png)', ['example.com']],
    ['mailto:Ana@Example.com', ['ana@example.com']],
    ['Write to ana@example.com.', ['ana@example.com']],
    ['<a href="tel:+351 (555) 0100">', ['tel:3515550100']],
    ['https://еxample.com', ['еxample.com']],
    ['At 15:00 {{ guest.name }} pays 12.50', []],
  ])('are found in %s', (text, found) => {
    expect(destinationsIn(text)).toEqual(found);
  });

  it('are not hidden by a name before them', () => {
    expect(destinationsIn('https://good.example@evil.example/')).not.toContain('good.example');
  });

  it.each(['a', '@', '.', 'a@', 'a@b/', 'www.', 'tel:+1 ', 'https://a.b...', '//'])(
    'are found quickly in a long text of %j',
    async (piece) => {
      const text = `https://${piece.repeat(50_000)}x mailto:a@b${piece.repeat(50_000)}x`;
      expect(await cpuMs(() => destinationsIn(text))).toBeLessThan(500);
    },
  );

  it('are found in parts that are joined by characters that no address has', () => {
    expect(destinationsIn('(a@b.example)x;c@d.example/e?f@g.example')).toEqual([
      'a@b.example',
      'c@d.example/e?f@g.example',
    ]);
  });
});
