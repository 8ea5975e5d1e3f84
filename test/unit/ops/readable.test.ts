import { readable } from '../../../src/processes/ops/readable.js';

describe('a value for a person', () => {
  it('has a line for each field, and says what a limit without a value allows', () => {
    const key = { propertyIds: null, allowedAddresses: null, ratePerMinute: 1_000, expiresAt: null, scopes: [] };
    expect(readable(key)).toBe(
      'propertyIds: all\nallowedAddresses: all\nratePerMinute: 1000\nexpiresAt: none\nscopes: none',
    );
  });

  it('indents what is inside, and has an empty line between records', () => {
    expect(
      readable([
        { id: 'a', by: { name: 'Eva' } },
        { id: 'b', scopes: ['x', 'y'] },
      ]),
    ).toBe('id: a\nby:\n  name: Eva\n\nid: b\nscopes: x, y');
  });
});
