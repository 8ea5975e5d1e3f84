import { organizationForEach } from '../../support/behind-the-api.js';
import { doorNames, doors } from '../../support/doors.js';
import { absentId, addPerson, addProperty, keyWith, roleNamed } from '../../support/people.js';
import type { Service } from '../../support/start-app.js';

const service = organizationForEach();

const machineOf = async ({ api }: Service): Promise<string> => (await api.get('/me')).body.data.member.id as string;

const ownerOf = async ({ api }: Service): Promise<string> =>
  (await api.get(`/members?kind=user&sort=createdAt&limit=1`)).body.data[0].id as string;

describe.each(doorNames)('updateMember over %s', (name) => {
  const door = () => doors(service())[name];
  const update = (input: object) => door().ask('updateMember', input);

  it('changes name, role and properties', async () => {
    const { id: memberId } = await addPerson(service());
    const propertyId = await addProperty(service());
    const roleId = await roleNamed(service(), 'cleaner');
    const { status, body } = await update({ memberId, name: 'Ana', roleId, propertyIds: [propertyId] });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: memberId, name: 'Ana', roleId, propertyIds: [propertyId], version: 2 });
    expect((await update({ memberId, propertyIds: null })).body.data).toMatchObject({
      name: 'Ana',
      roleId,
      propertyIds: null,
    });
  });

  it('keeps one active owner', async () => {
    const memberId = await ownerOf(service());
    const roleId = await roleNamed(service(), 'manager');
    const refused = await update({ memberId, roleId });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'LAST_OWNER']);

    const second = await addPerson(service(), { role: 'owner' });
    await service().api.post(`/members/${second.id}/suspend`);
    expect((await update({ memberId, roleId })).body.error.code).toBe('LAST_OWNER');
    await service().api.post(`/members/${second.id}/reinstate`);
    expect((await update({ memberId, roleId })).body.data.roleId).toBe(roleId);
  });

  it('keeps one active owner who sees all properties', async () => {
    const memberId = await ownerOf(service());
    const limit = { propertyIds: [await addProperty(service())] };
    const refused = await update({ memberId, ...limit });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'LAST_OWNER']);

    const limited = await addPerson(service(), { role: 'owner', ...limit });
    const manager = { roleId: await roleNamed(service(), 'manager') };
    for (const left of [
      await update({ memberId, ...manager }),
      await update({ memberId, ...limit }),
      await door().ask('suspendMember', { memberId }),
      await door().ask('removeMember', { memberId }),
    ])
      expect(left.body.error.code).toBe('LAST_OWNER');

    await update({ memberId: limited.id, propertyIds: null });
    expect((await update({ memberId, ...limit })).body.data).toMatchObject(limit);
    expect((await update({ memberId, ...manager })).status).toBe(200);
  });

  it('rejects a role for a machine, and anything for a removed member', async () => {
    const roleId = await roleNamed(service(), 'viewer');
    const machine = await update({ memberId: await machineOf(service()), roleId });
    expect([machine.status, machine.body.error.details.key]).toEqual([400, 'MEMBER_MACHINE_HAS_NO_ROLE']);
    const { id: memberId } = await addPerson(service());
    await service().api.delete(`/members/${memberId}`);
    expect((await update({ memberId, roleId })).body.error.code).toBe('MEMBER_REMOVED');
  });

  it('gives no role beyond the caller, and changes nobody who sees more properties', async () => {
    const mine = await addProperty(service());
    const scopes = ['members:manage', 'members:read', 'properties:read', 'tasks:read', 'tasks:write'];
    const limited = door().as(await keyWith(service(), scopes, [mine]));
    const { id: within } = await addPerson(service(), { propertyIds: [mine] });
    const { id: beyond } = await addPerson(service());
    const ask = (memberId: string, changes: object) => limited.ask('updateMember', { memberId, ...changes });

    expect((await ask(within, { roleId: await roleNamed(service(), 'owner') })).status).toBe(403);
    expect((await ask(within, { roleId: await roleNamed(service(), 'cleaner') })).status).toBe(200);
    expect((await ask(within, { propertyIds: null })).body.data.propertyIds).toEqual([mine]);
    expect((await ask(beyond, { name: 'x' })).status).toBe(403);
  });

  it('finds no unknown member, role or property', async () => {
    const { id: memberId } = await addPerson(service());
    expect((await update({ memberId: absentId('member'), name: 'x' })).status).toBe(404);
    expect((await update({ memberId, roleId: absentId('role') })).status).toBe(404);
    expect((await update({ memberId, propertyIds: [absentId('property')] })).status).toBe(404);
  });
});

it('limits the API keys of a machine at the next request', async () => {
  const [house] = [await addProperty(service()), await addProperty(service())];
  const key = await keyWith(service(), ['properties:read']);
  const reader = service().api.as(key);
  expect((await reader.get('/properties')).body.data).toHaveLength(2);
  const memberId = (await reader.get('/me')).body.data.member.id;
  await service().api.patch(`/members/${memberId}`, { propertyIds: [house] });
  expect((await reader.get('/properties')).body.data).toMatchObject([{ id: house }]);
});
