import { doorNames, doors } from '../../support/doors.js';
import { absentId, addPerson } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

describe.each(doorNames)('getMember over %s', (name) => {
  const get = (memberId: string) => doors(service)[name].ask('getMember', { memberId });

  it('returns a member, without internal fields', async () => {
    const person = await addPerson(service);
    const { status, body } = await get(person.id);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: person.id,
      hasSecondFactor: false,
      lastActiveAt: null,
      kind: 'user',
      name: person.name,
      email: person.email,
      roleId: person.roleId,
      propertyIds: null,
      status: 'active',
      invitationSentAt: null,
      version: 1,
      createdAt: person.createdAt,
      updatedAt: person.updatedAt,
    });
  });

  it('returns a removed member too, because records name it', async () => {
    const { id } = await addPerson(service);
    await service.api.delete(`/members/${id}`);
    expect((await get(id)).body.data).toMatchObject({ id, status: 'removed', roleId: null });
  });

  it('finds no member for an unknown or malformed id', async () => {
    expect((await get(absentId('member'))).status).toBe(404);
    expect((await get('nobody')).status).toBe(404);
  });
});
