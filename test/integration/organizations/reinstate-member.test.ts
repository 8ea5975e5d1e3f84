import { doorNames, doors } from '../../support/doors.js';
import { addPerson, keyWith } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

describe.each(doorNames)('reinstateMember over %s', (name) => {
  const door = () => doors(service)[name];
  const reinstate = (memberId: string) => door().ask('reinstateMember', { memberId });

  it('lets a suspended member act again', async () => {
    const key = await keyWith(service, ['tasks:read']);
    const { id } = (await service.api.as(key).get('/me')).body.data.member;
    await service.api.post(`/members/${id}/suspend`);
    const { status, body } = await reinstate(id);
    expect([status, body.data.status]).toEqual([200, 'active']);
    expect((await service.api.as(key).get('/tasks')).status).toBe(200);
  });

  it('rejects one that is not suspended, and one that was removed', async () => {
    const { id } = await addPerson(service);
    expect((await reinstate(id)).body.error.code).toBe('MEMBER_STATUS');
    await service.api.delete(`/members/${id}`);
    expect((await reinstate(id)).body.error.code).toBe('MEMBER_REMOVED');
  });

  it('gives nobody back what the caller lacks', async () => {
    const { id } = await addPerson(service, { role: 'owner' });
    await service.api.post(`/members/${id}/suspend`);
    const manager = door().as(await keyWith(service, ['members:manage']));
    expect((await manager.ask('reinstateMember', { memberId: id })).status).toBe(403);
    expect((await reinstate(id)).status).toBe(200);
  });
});
