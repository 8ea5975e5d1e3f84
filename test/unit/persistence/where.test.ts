import { Where } from '#persistence';

it('numbers the values in the order of the conditions', () => {
  const where = new Where().and('org_id = ?', 'o').and('(a, id) < (?, ?)', 'k', 'i').when('pending', 'status = ?');
  expect(where.text).toBe('where org_id = $1 and (a, id) < ($2, $3) and status = $4');
  expect(where.values).toEqual(['o', 'k', 'i', 'pending']);
});

it('omits a condition only if it has no value at all', () => {
  const where = new Where().when(undefined, 'a = ?').when(null, 'b = ?').when('', 'c = ?').when([], 'd = any(?)');
  expect(where.text).toBe('where b = $1 and c = $2 and d = any($3)');
});

it('numbers search terms among the other values, and leaves them to the page', () => {
  const where = new Where()
    .and('org_id = ?', 'o')
    .searching('%a%', { inRow: 'name ilike ?', column: 'id', ids: 'f(?)' })
    .and('id < ?', 'i');
  expect(where.text).toBe('where org_id = $1 and id < $3');
  expect(where.search).toEqual({ inRow: 'name ilike $2', column: 'id', ids: 'f($2)' });
  expect(new Where().searching(undefined, { inRow: '?', column: 'id', ids: '?' }).search).toBeUndefined();
});

it('is empty without conditions', () => {
  expect(new Where().text).toBe('');
});
