import type { Api } from '../../support/api.js';
import { absentId, keyWith } from '../../support/factories.js';
import { doorNames, doors } from '../../support/doors.js';
import { addPerson, roleNamed } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';

/** Nobody takes from a member permissions that they lack: to manage, publish or control, and to read secrets. */
let service: Service;
let admin: Api;
beforeAll(async () => {
  service = await startApp();
  admin = (await keyWith(service.api)).api;
});
afterAll(() => service.close());

const changes = ['updateMember', 'suspendMember', 'reinstateMember', 'removeMember'];

describe.each(doorNames)('over %s', (door) => {
  const withScopes = async (scopes: string[]) => {
    const { key } = await keyWith(admin, { scopes });
    return async (operation: string, input: object) => {
      const { status, body } = await doors(service)[door].as(key).ask(operation, input);
      return { outcome: `${operation} ${status} ${body.error?.code}`, body };
    };
  };
  const stateOf = async (memberId: string): Promise<object> => (await admin.get(`/members/${memberId}`)).body.data;

  it('a key with only members:manage changes no owner, whatever the state of either', async () => {
    const ask = await withScopes(['members:manage']);
    const { id: memberId } = await addPerson(service, { role: 'owner' });
    for (const change of ['active', 'suspended']) {
      const before = await stateOf(memberId);
      for (const operation of changes)
        expect((await ask(operation, { memberId })).outcome).toBe(`${operation} 403 PERMISSIONS_BEYOND_CALLER`);
      expect(await stateOf(memberId)).toEqual({ ...before, status: change });
      if (change === 'active') await admin.post(`/members/${memberId}/suspend`);
    }
    const { body } = await ask('removeMember', { memberId });
    expect(body.error.details.permissions).toContain('organization:manage');
    expect(body.error.details.permissions).toContain('templates:publish');
    expect(body.error.details.permissions).not.toContain('tasks:write');
    expect((await ask('removeMember', { memberId: absentId('member') })).outcome).toBe('removeMember 404 NOT_FOUND');
    await admin.delete(`/members/${memberId}`);
  });

  it.each(['templates:publish', 'devices:control', 'properties:secrets', 'access-codes:reveal', 'api-keys:manage'])(
    'a member who has %s is changed only by members who also have it',
    async (permission) => {
      const role = { name: `${permission} ${door}`, permissions: [permission, 'tasks:write'] };
      const { id: roleId } = (await admin.post('/roles', role)).body.data;
      const { id: memberId } = await addPerson(service);
      await admin.patch(`/members/${memberId}`, { roleId });
      const [without, having] = [
        await withScopes(['members:manage']),
        await withScopes(['members:manage', permission, 'tasks:write']),
      ];
      expect((await without('suspendMember', { memberId })).outcome).toMatch(/PERMISSIONS_BEYOND_CALLER$/);
      expect((await having('suspendMember', { memberId })).outcome).toMatch(/ 200 /);
      expect((await having('reinstateMember', { memberId })).outcome).toMatch(/ 200 /);
      expect((await having('removeMember', { memberId })).outcome).toMatch(/ 200 /);
    },
  );

  it('a machine has the permissions of its active keys', async () => {
    const { id: keyId, api } = await keyWith(admin, { scopes: ['webhooks:manage'] });
    const { id: memberId } = (await api.get('/me')).body.data.member;
    const ask = await withScopes(['members:manage']);
    expect((await ask('suspendMember', { memberId })).outcome).toMatch(/PERMISSIONS_BEYOND_CALLER$/);
    await admin.post(`/api-keys/${keyId}/revoke`);
    expect((await ask('suspendMember', { memberId })).outcome).toMatch(/ 200 /);
  });

  it('a cleaner is changed by anyone who manages members', async () => {
    const ask = await withScopes(['members:manage']);
    const { id: memberId } = await addPerson(service, { role: 'cleaner' });
    expect((await ask('updateMember', { memberId, name: 'Ana' })).body.data.name).toBe('Ana');
    expect((await ask('removeMember', { memberId })).outcome).toMatch(/ 200 /);
  });

  it('a role cannot lose guarded permissions that the caller lacks, but can lose all others', async () => {
    const permissions = ['tasks:read', 'tasks:write', 'webhooks:manage'];
    const { id: roleId } = (await admin.post('/roles', { name: `Held ${door}`, permissions })).body.data;
    const { id: memberId } = await addPerson(service);
    await admin.patch(`/members/${memberId}`, { roleId });
    const ask = await withScopes(['members:manage']);
    const stripped = await ask('updateRole', { roleId, permissions: ['tasks:read', 'tasks:write'] });
    expect([stripped.outcome, stripped.body.error.details]).toEqual([
      'updateRole 403 PERMISSIONS_BEYOND_CALLER',
      { permissions: ['webhooks:manage'] },
    ]);
    const kept = await ask('updateRole', { roleId, name: `Kept ${door}`, permissions: ['webhooks:manage'] });
    expect(kept.body.data.permissions).toEqual(['webhooks:manage']);
    const able = await withScopes(['members:manage', 'webhooks:manage', 'tasks:read']);
    expect((await able('updateRole', { roleId, permissions: ['tasks:read'] })).outcome).toMatch(/ 200 /);
    expect(await roleNamed(service, `Kept ${door}`)).toBe(roleId);
  });
});
