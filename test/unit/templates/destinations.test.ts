import { destinationsIn } from '../../../src/templates/writing/destinations.js';

describe('where a text leads', () => {
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
  ])('is found in %s', (text, found) => {
    expect(destinationsIn(text)).toEqual(found);
  });

  it('is not hidden by a name before it', () => {
    expect(destinationsIn('https://good.example@evil.example/')).not.toContain('good.example');
  });
});
