import { organizationForEach } from '../../support/behind-the-api.js';
import { doorNames, doors } from '../../support/doors.js';
import { absentId, addPerson, roleNamed } from '../../support/people.js';

const service = organizationForEach();

describe.each(doorNames)('deleteRole over %s', (name) => {
  const remove = (roleId: string) => doors(service())[name].ask('deleteRole', { roleId });

  it('deletes a role that only removed members had', async () => {
    const night = await service().api.post('/roles', { name: 'night', permissions: ['tasks:read'] });
    const { id } = night.body.data;
    const member = await addPerson(service(), { role: 'night' });
    const used = await remove(id);
    expect([used.status, used.body.error.code]).toEqual([409, 'ROLE_IN_USE']);

    await service().api.delete(`/members/${member.id}`);
    const { status, body } = await remove(id);
    expect([status, body.data]).toEqual([200, { id, deleted: true }]);
    expect((await remove(id)).status).toBe(404);
  });

  it('rejects a built-in role, and an unknown one', async () => {
    const builtIn = await remove(await roleNamed(service(), 'viewer'));
    expect([builtIn.status, builtIn.body.error.code]).toEqual([409, 'ROLE_BUILT_IN']);
    expect((await remove(absentId('role'))).status).toBe(404);
  });
});
