import { newId } from '#persistence';

it('creates ids in the order of the calls, also within a millisecond', () => {
  const ids = Array.from({ length: 1_000 }, () => newId('task'));
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids.filter((id) => !/^task_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toEqual([]);
});
