import { newId } from '#persistence';
import { effectsHash } from '../../../src/auth/approvals/effects-hash.js';
import type { Happening } from '../../../src/platform/events/happening.js';

const startedAt = Date.now();
const taskId = `task_01900000000070008000000000000000`;
const inMs = (ms: number, from = startedAt): string => new Date(from + ms).toISOString();

const happening = (after: object, before: object | null = { status: 'pending' }, id = taskId): Happening =>
  ({
    type: 'task.completed',
    data: {},
    change: { target: { type: 'task', id }, propertyId: null, before, after },
  }) as unknown as Happening;

const hash = (after: object, from = startedAt): string => effectsHash([happening(after)], from);

it('differs if a value, a record, or their number does', () => {
  const one = happening({ status: 'done' });
  const hashes = [
    [one],
    [happening({ status: 'cancelled' })],
    [happening({ status: 'done' }, { status: 'in_progress' })],
    [happening({ status: 'done' }, undefined, 'task_01900000000070008000000000000001')],
    [one, one],
    [],
  ].map((all) => effectsHash(all, startedAt));
  expect(new Set(hashes).size).toBe(hashes.length);
});

it('differs if the record itself was changed, but not if it only follows', () => {
  const at = (version: number, follows: boolean) => {
    const one = happening({ status: 'done', version: version + 1 }, { status: 'pending', version });
    return effectsHash([{ ...one, follows }], startedAt);
  };
  expect(at(1, false)).not.toBe(at(2, false));
  expect(at(1, true)).toBe(at(2, true));
});

it('is the same for values that are always new: ids, the current time, and what follows from it', () => {
  const later = startedAt + 120_000;
  expect(hash({ id: newId('task'), completedAt: inMs(5), version: 2 })).toBe(
    hash({ id: newId('task'), completedAt: inMs(9), version: 3 }),
  );
  expect(hash({ endsAt: new Date(startedAt - (startedAt % 1_000) + 86_400_123).toISOString() })).toBe(
    hash({ endsAt: new Date(later - (later % 1_000) + 86_400_123).toISOString() }, later),
  );
});

it('differs for another chosen time, and for one that has passed', () => {
  expect(hash({ dueAt: '2099-01-01T10:00:00.000Z' })).not.toBe(hash({ dueAt: '2099-01-01T11:00:00.000Z' }));
  expect(hash({ startedAt: inMs(-1_001) })).not.toBe(hash({ startedAt: inMs(-2_001) }));
});

it('does not depend on the order of the effects', () => {
  const [one, other] = [happening({ status: 'done' }), happening({ status: 'done' }, null, newId('task'))];
  expect(effectsHash([one, other], startedAt)).toBe(effectsHash([other, one], startedAt));
});
