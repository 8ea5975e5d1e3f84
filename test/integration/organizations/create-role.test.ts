import { organizationForEach } from '../../support/behind-the-api.js';
import { doorNames, doors } from '../../support/doors.js';
import { keyWith } from '../../support/people.js';

const service = organizationForEach();

describe.each(doorNames)('createRole over %s', (name) => {
  const door = () => doors(service())[name];
  const create = (input: object) => door().ask('createRole', input);

  it('creates a role', async () => {
    const { status, body } = await create({ name: 'night', permissions: ['tasks:write', 'tasks:read'] });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ name: 'night', builtIn: null, permissions: ['tasks:read', 'tasks:write'] });
  });

  it('rejects a name that is taken, a built-in one too', async () => {
    const refused = await create({ name: 'owner', permissions: ['tasks:read'] });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ROLE_NAME_TAKEN']);
  });

  it('rejects permissions that do not exist, and none at all', async () => {
    for (const permissions of [['tasks:fly'], [], undefined]) {
      const { status, body } = await create({ name: 'x', permissions });
      expect(status).toBe(400);
      expect(body.error.details.issues).toMatchObject([{ path: ['permissions'] }]);
    }
  });

  it('grants nothing that the caller lacks', async () => {
    const limited = door().as(await keyWith(service(), ['members:manage', 'tasks:read']));
    const ask = (permissions: string[]) => limited.ask('createRole', { name: 'night', permissions });
    const refused = await ask(['tasks:read', 'tasks:write']);
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('tasks:write');
    expect((await ask(['tasks:read'])).status).toBe(201);
  });
});
