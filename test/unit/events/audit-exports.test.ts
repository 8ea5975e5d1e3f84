import { generateKeySync } from 'node:crypto';
import type { Caller } from '#access';
import { Cursors } from '#persistence';
import type { AuditEntriesRepository } from '../../../src/platform/audit/audit-entries.repository.js';
import { AuditEntriesService } from '../../../src/platform/audit/audit-entries.service.js';

/** Reads that end when they are let go, and how many of each organization are under way. */
function trail() {
  const underWay: { orgId: string; end: () => void; fail: () => void }[] = [];
  const inOrder = ({ orgId }: Caller) =>
    new Promise((resolve, reject) => {
      const end = () => resolve({ entries: [{ id: orgId }], last: undefined });
      underWay.push({ orgId, end, fail: () => reject(new Error('No connection')) });
    });
  const cursors = new Cursors(generateKeySync('hmac', { length: 256 }));
  const service = new AuditEntriesService({ inOrder } as unknown as AuditEntriesRepository, cursors);
  const take = async (orgId: string): Promise<string[]> => {
    const taken: string[] = [];
    const { all } = await service.export({ orgId, propertyIds: null } as Caller, {});
    for await (const { id } of all()) taken.push(id);
    return taken;
  };
  return { underWay, take };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

it('reads for an organization once at a time, and for others meanwhile', async () => {
  const { underWay, take } = trail();
  const exports = ['a', 'a', 'a', 'b'].map(take);
  await soon();
  expect(underWay.map(({ orgId }) => orgId)).toEqual(['a', 'b']);
  for (let read = 0; read < 4; read += 1, await soon()) underWay[read]?.end();
  expect(await Promise.all(exports)).toEqual([['a'], ['a'], ['a'], ['b']]);
});

it('goes on after a read that failed', async () => {
  const { underWay, take } = trail();
  const [failing, other] = [take('a'), take('a')];
  await soon();
  underWay[0]?.fail();
  await expect(failing).rejects.toThrow('No connection');
  await soon();
  underWay[1]?.end();
  expect(await other).toEqual(['a']);
});
