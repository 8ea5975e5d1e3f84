import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { TenantDatabase } from '#persistence';
import { MembersService } from '../../../src/tenancy/members/members.service.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import { organizationForEach } from '../../support/behind-the-api.js';
import { doorNames, doors } from '../../support/doors.js';
import { absentId, addPerson, keyWith } from '../../support/people.js';

const service = organizationForEach();

describe.each(doorNames)('suspendMember over %s', (name) => {
  const suspend = (memberId: string) => doors(service())[name].ask('suspendMember', { memberId });

  it('suspends an active member once', async () => {
    const { id } = await addPerson(service());
    const { status, body } = await suspend(id);
    expect([status, body.data.status]).toEqual([200, 'suspended']);
    const again = await suspend(id);
    expect([again.status, again.body.error.code]).toEqual([409, 'MEMBER_STATUS']);
  });

  it("ends a machine's API keys immediately", async () => {
    const other = service().api.as(await keyWith(service(), ['tasks:read']));
    expect((await suspend((await other.get('/me')).body.data.member.id)).status).toBe(200);
    expect((await other.get('/tasks')).status).toBe(401);
  });

  it('keeps one active owner when two leave at the same time', async () => {
    const { id: second, orgId, roleId } = await addPerson(service(), { role: 'owner' });
    const owners = (await service().api.get(`/members?roleId=${roleId}`)).body.data as { id: string }[];
    const first = owners.find(({ id }) => id !== second)?.id as string;

    let late: ReturnType<typeof suspend> | undefined;
    await service()
      .app.get(TenantDatabase)
      .transaction(orgId, async () => {
        await service().app.get(MembersService).suspend(operatorFor(orgId, first), first);
        late = suspend(second);
        await waitsForLock(late);
      });
    expect((await late)?.body.error.code).toBe('LAST_OWNER');
  });

  it('finds no unknown member', async () => {
    expect((await suspend(absentId('member'))).status).toBe(404);
  });
});

/** Resolves when a statement waits for a lock of another transaction, or the request has ended without one. */
async function waitsForLock(request: Promise<unknown>): Promise<void> {
  let ended = false;
  void request.finally(() => (ended = true));
  const watcher = new pg.Client({ connectionString: service().database.url });
  await watcher.connect();
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while (!ended && (await watcher.query(waiting)).rowCount === 0) await setImmediate();
  await watcher.end();
}
