import { generateKeySync } from 'node:crypto';
import type { Caller } from '#access';
import { Cursors } from '#persistence';
import type { AuditEntriesRepository } from '../../../src/platform/audit/audit-entries.repository.js';
import { AuditEntriesService } from '../../../src/platform/audit/audit-entries.service.js';

/** Reads that end when the test releases them, and how many of each organization are in progress. */
function trail() {
  const inFlight: { orgId: string; end: () => void; fail: () => void }[] = [];
  const inOrder = ({ orgId }: Caller) =>
    new Promise((resolve, reject) => {
      const end = () => resolve({ entries: [{ id: orgId }], last: undefined });
      inFlight.push({ orgId, end, fail: () => reject(new Error('No connection')) });
    });
  const cursors = new Cursors(generateKeySync('hmac', { length: 256 }));
  const service = new AuditEntriesService({ inOrder } as unknown as AuditEntriesRepository, cursors);
  const take = async (orgId: string): Promise<string[]> => {
    const taken: string[] = [];
    const { all } = await service.export({ orgId, propertyIds: null } as Caller, {});
    for await (const { id } of all()) taken.push(id);
    return taken;
  };
  return { inFlight, take };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

it('reads one export at a time for an organization, in parallel with others', async () => {
  const { inFlight, take } = trail();
  const exports = ['a', 'a', 'a', 'b'].map(take);
  await soon();
  expect(inFlight.map(({ orgId }) => orgId)).toEqual(['a', 'b']);
  for (let read = 0; read < 4; read += 1, await soon()) inFlight[read]?.end();
  expect(await Promise.all(exports)).toEqual([['a'], ['a'], ['a'], ['b']]);
});

it('continues after a read that failed', async () => {
  const { inFlight, take } = trail();
  const [failing, other] = [take('a'), take('a')];
  await soon();
  inFlight[0]?.fail();
  await expect(failing).rejects.toThrow('No connection');
  await soon();
  inFlight[1]?.end();
  expect(await other).toEqual(['a']);
});
