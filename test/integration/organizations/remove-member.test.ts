import { SystemDatabase } from '#system-database';
import type { Api } from '../../support/api.js';
import { organizationForEach } from '../../support/behind-the-api.js';
import { doorNames, type DoorReply, doors } from '../../support/doors.js';
import { feedSettled, until } from '../../support/feed.js';
import { waitingForLocks } from '../../support/locks.js';
import { absentId, addPerson, keyWith } from '../../support/people.js';

const service = organizationForEach();

describe.each(doorNames)('removeMember over %s', (name) => {
  const remove = (memberId: string, wishes = {}) => doors(service())[name].ask('removeMember', { memberId, ...wishes });

  it('removes a member permanently', async () => {
    const { id } = await addPerson(service());
    const { status, body } = await remove(id);
    expect([status, body.data]).toEqual([200, { id, deleted: true, revokedKeyIds: [] }]);
    const again = await remove(id);
    expect([again.status, again.body.error.code]).toEqual([409, 'MEMBER_REMOVED']);
  });

  it("ends a machine's API keys immediately", async () => {
    const other = service().api.as(await keyWith(service(), ['tasks:read']));
    await remove((await other.get('/me')).body.data.member.id);
    expect((await other.get('/tasks')).status).toBe(401);
  });

  describe('the API keys that a removed member created', () => {
    type Made = { id: string; key: string; memberId: string };
    const scopes = ['tasks:read', 'api-keys:manage'];
    const keyOf = async (api: Api, wishes = {}): Promise<Made> =>
      (await api.post('/api-keys', { name: 'k', scopes, ...wishes })).body.data as Made;
    const rotated = async (api: Api, { id }: Made): Promise<Made> =>
      (await api.post(`/api-keys/${id}/rotate`, {})).body.data as Made;
    const statusesOf = (keys: Made[]) =>
      Promise.all(keys.map(async ({ key }) => (await service().api.as(key).get('/tasks')).status));

    it('are revoked with the keys created with them, and keys of others remain', async () => {
      const maker = await keyOf(service().api);
      const made = await keyOf(service().api.as(maker.key));
      const another = await keyOf(service().api, { memberId: made.memberId });
      const [below, beside] = [await keyOf(service().api.as(made.key)), await keyOf(service().api.as(another.key))];
      // A key that was revoked before leads to the keys that it created.
      await service().api.post(`/api-keys/${made.id}/revoke`);
      const { status, body } = await remove(maker.memberId);
      expect([status, body.data]).toEqual([200, { id: maker.memberId, deleted: true, revokedKeyIds: [below.id] }]);
      expect(await statusesOf([made, below, another, beside])).toEqual([401, 401, 200, 200]);
      await feedSettled(service());
      const { data } = (await service().api.get(`/events?types=api_key.revoked&subject=${below.id}`)).body;
      expect(data).toMatchObject([{ data: { revokedBecause: 'member-removed', revokedAt: expect.any(String) } }]);
    });

    it('remain if that is requested', async () => {
      const maker = await keyOf(service().api);
      const made = await keyOf(service().api.as(maker.key));
      const { body } = await remove(maker.memberId, { keepKeys: true });
      expect(body.data.revokedKeyIds).toEqual([]);
      expect(await statusesOf([maker, made])).toEqual([401, 200]);
    });

    it.each(['created', 'rotated'])('are found even if one is being %s at the same time', async (how) => {
      const [maker, old] = [await keyOf(service().api), await keyOf(service().api)];
      const [of, ofOld] = [maker, old].map(({ key }) => service().api.as(key)) as [Api, Api];
      await Promise.all([of.get('/me'), ofOld.get('/me')]);
      const used = async () => (await service().api.get('/api-keys')).body.data as { lastUsedAt: string | null }[];
      await until(used, (keys) => keys.every(({ lastUsedAt }) => lastUsedAt !== null));
      const system = service().app.get(SystemDatabase);
      const waiting = (lock: string) =>
        until(
          () => system.rows(`${waitingForLocks} and ${lock}`),
          ({ length }) => length > 0,
        );
      const asked: { creating?: Promise<Made>; removing?: Promise<DoorReply> } = {};
      await system.transaction(async () => {
        await system.rows('lock table api_keys in share mode');
        asked.creating = how === 'created' ? keyOf(of) : rotated(of, old);
        await waiting(`relation = 'api_keys'::regclass`);
        asked.removing = remove(maker.memberId);
        await Promise.race([asked.removing, waiting(`locktype = 'transactionid'`)]);
      });
      const [made, removal] = [await asked.creating, await asked.removing];
      expect(removal?.body.data.revokedKeyIds).toEqual([made?.id]);
    });
  });

  it('keeps one active owner; an invited one does not count', async () => {
    const [owner] = (await service().api.get('/members?kind=user')).body.data;
    await service().api.post('/members', { email: 'eva@example.com', roleId: owner.roleId });
    const refused = await remove(owner.id);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'LAST_OWNER']);
    await addPerson(service(), { role: 'owner' });
    expect((await remove(owner.id)).status).toBe(200);
  });

  it('finds no unknown member', async () => {
    expect((await remove(absentId('member'))).status).toBe(404);
  });
});
