import { doorNames, doors } from '../../support/doors.js';
import { type Service, startApp } from '../../support/start-app.js';

interface Listed {
  name: string;
  builtIn: string | null;
  permissions: string[];
}

let service: Service;
beforeAll(async () => {
  service = await startApp();
  await service.api.post('/roles', { name: 'night', permissions: ['tasks:write', 'tasks:read'] });
});
afterAll(() => service.close());

describe.each(doorNames)('listRoles over %s', (name) => {
  it('lists built-in and custom roles, with their current permissions', async () => {
    const { body } = await doors(service)[name].ask('listRoles');
    const roles = body.data as Listed[];
    expect(roles[0]).toMatchObject({ name: 'night', builtIn: null, permissions: ['tasks:read', 'tasks:write'] });
    expect(roles.map(({ builtIn }) => builtIn).sort()).toEqual(
      ['cleaner', 'coordinator', 'manager', 'owner', 'viewer', null].sort(),
    );
    const owner = roles.find(({ builtIn }) => builtIn === 'owner');
    expect(owner?.permissions).toEqual((await service.api.get('/me')).body.data.permissions);
  });

  it('pages', async () => {
    const ask = (input: object) => doors(service)[name].ask('listRoles', input);
    const first = await ask({ limit: 4 });
    const second = await ask({ limit: 4, cursor: first.body.meta.pagination.nextCursor });
    expect([first.body.data.length, second.body.data.length]).toEqual([4, 2]);
    expect(second.body.meta.pagination.nextCursor).toBeNull();
  });
});
