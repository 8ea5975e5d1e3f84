import { freshOrganization } from '../../support/behind-the-api.js';
import { doorNames, doors } from '../../support/doors.js';
import { absentId, addPerson, keyWith } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';

let started: Service;
let service: Service;
beforeAll(async () => {
  started = await startApp();
});
afterAll(() => started.close());
beforeEach(async () => {
  service = await freshOrganization(started);
});

describe.each(doorNames)('removeMember over %s', (name) => {
  const remove = (memberId: string) => doors(service)[name].ask('removeMember', { memberId });

  it('removes a member for good', async () => {
    const { id } = await addPerson(service);
    const { status, body } = await remove(id);
    expect([status, body.data]).toEqual([200, { id, deleted: true }]);
    const again = await remove(id);
    expect([again.status, again.body.error.code]).toEqual([409, 'MEMBER_REMOVED']);
  });

  it("ends a machine's API keys at once", async () => {
    const other = service.api.as(await keyWith(service, ['tasks:read']));
    await remove((await other.get('/me')).body.data.member.id);
    expect((await other.get('/tasks')).status).toBe(401);
  });

  it('keeps one active owner; an invited one does not count', async () => {
    const [owner] = (await service.api.get('/members?kind=user')).body.data;
    await service.api.post('/members', { email: 'eva@example.com', roleId: owner.roleId });
    const refused = await remove(owner.id);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'LAST_OWNER']);
    await addPerson(service, { role: 'owner' });
    expect((await remove(owner.id)).status).toBe(200);
  });

  it('knows no member that is not there', async () => {
    expect((await remove(absentId('member'))).status).toBe(404);
  });
});
