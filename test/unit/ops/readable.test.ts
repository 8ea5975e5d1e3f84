import { readable, tableOf } from '../../../src/processes/ops/readable.js';

describe('a value for a person', () => {
  it('has a line for each field, and says what a missing limit allows', () => {
    const key = { propertyIds: null, allowedAddresses: null, ratePerMinute: 1_000, expiresAt: null, scopes: [] };
    expect(readable(key)).toBe(
      'propertyIds: all\nallowedAddresses: all\nratePerMinute: 1000\nexpiresAt: none\nscopes: none',
    );
  });

  it('indents nested values, and has an empty line between records', () => {
    expect(
      readable([
        { id: 'a', by: { name: 'Eva' } },
        { id: 'b', scopes: ['x', 'y'] },
      ]),
    ).toBe('id: a\nby:\n  name: Eva\n\nid: b\nscopes: x, y');
  });
});

describe('a list for a person', () => {
  it('is a table of the columns that matter, aligned, each record on one line', () => {
    const records = [
      { id: 'a', name: 'Ana', scopes: ['x', 'y'], expiresAt: null },
      { id: 'bb', name: `Long\n${'n'.repeat(60)}`, scopes: [], expiresAt: '2026-01-01' },
    ];
    const [head, first, second] = tableOf(records, ['name', 'scopes', 'expiresAt', 'id']).split('\n');
    expect(head).toMatch(/^name {46}scopes {2}expiresAt {3}id$/);
    expect(first).toMatch(/^Ana {47}x, y {4}none {8}a$/);
    expect(second).toMatch(/^Long n{42}… {2}none {4}2026-01-01 {2}bb$/);
    expect(tableOf([], ['name'])).toBe('none');
  });
});
