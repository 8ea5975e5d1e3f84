import { organizationForEach } from '../../support/behind-the-api.js';
import { doorNames, doors } from '../../support/doors.js';
import { absentId, keyWith, roleNamed } from '../../support/people.js';

const service = organizationForEach();

let roleId: string;
beforeEach(async () => {
  const night = { name: 'night', permissions: ['tasks:read', 'tasks:write'] };
  roleId = (await service().api.post('/roles', night)).body.data.id as string;
});

describe.each(doorNames)('updateRole over %s', (name) => {
  const door = () => doors(service())[name];
  const update = (input: object) => door().ask('updateRole', { roleId, ...input });

  it('renames it or replaces its permissions', async () => {
    const renamed = await update({ name: 'late' });
    expect(renamed.status).toBe(200);
    expect(renamed.body.data).toMatchObject({ name: 'late', permissions: ['tasks:read', 'tasks:write'], version: 2 });
    expect((await update({ permissions: ['properties:read'] })).body.data).toMatchObject({
      name: 'late',
      permissions: ['properties:read'],
    });
  });

  it('rejects a name that is taken, and a built-in role', async () => {
    expect((await update({ name: 'viewer' })).body.error.code).toBe('ROLE_NAME_TAKEN');
    const builtIn = await update({ roleId: await roleNamed(service(), 'viewer'), name: 'x' });
    expect([builtIn.status, builtIn.body.error.code]).toEqual([409, 'ROLE_BUILT_IN']);
  });

  it('adds nothing that the caller lacks, and may keep what is there', async () => {
    const limited = door().as(await keyWith(service(), ['members:manage']));
    const ask = (permissions: string[]) => limited.ask('updateRole', { roleId, permissions });
    expect((await ask(['tasks:read', 'organization:manage'])).status).toBe(403);
    expect((await ask(['tasks:read'])).status).toBe(200);
  });

  it('finds no unknown role, and rejects unknown permissions', async () => {
    expect((await update({ roleId: absentId('role'), name: 'x' })).status).toBe(404);
    expect((await update({ permissions: ['tasks:fly'] })).status).toBe(400);
  });
});
