import { doorNames, doors } from '../../support/doors.js';
import { addPerson, roleNamed } from '../../support/people.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

interface Listed {
  id: string;
  email: string | null;
  kind: string;
}

let service: Service;
let people: string[];
beforeAll(async () => {
  service = await startApp();
  people = [];
  for (let count = 0; count < 4; count += 1) people.push((await addPerson(service)).id);
  await service.api.delete(`/members/${people[0]}`);
  await service.api.post(`/members/${people[1]}/suspend`);
});
afterAll(() => service.close());

describe.each(doorNames)('listMembers over %s', (name) => {
  const list = async (input: object = {}): Promise<Listed[]> =>
    (await doors(service)[name].ask('listMembers', input)).body.data as Listed[];
  const idsOf = (members: Listed[]) => members.map(({ id }) => id);

  it('lists people and machines, newest first, without removed ones', async () => {
    const listed = await list();
    expect(idsOf(listed).slice(0, 3)).toEqual([people[3], people[2], people[1]]);
    expect(listed.slice(3).map(({ kind }) => kind)).toEqual(['machine', 'user']);
    expect(listed.at(-1)?.email).toBe(owner.email);
  });

  it('filters by status, kind and role', async () => {
    expect(idsOf(await list({ status: 'removed' }))).toEqual([people[0]]);
    expect(idsOf(await list({ status: 'suspended' }))).toEqual([people[1]]);
    expect((await list({ kind: 'machine' })).map(({ kind }) => kind)).toEqual(['machine']);
    expect(idsOf(await list({ roleId: await roleNamed(service, 'viewer') }))).toEqual(people.slice(1).reverse());
  });

  it('pages', async () => {
    const ask = (input: object) => doors(service)[name].ask('listMembers', input);
    const first = await ask({ limit: 3 });
    const { nextCursor } = first.body.meta.pagination;
    const second = await ask({ limit: 3, cursor: nextCursor });
    expect(second.body.meta.pagination.nextCursor).toBeNull();
    expect(idsOf([...first.body.data, ...second.body.data])).toEqual(idsOf(await list()));
    expect((await ask({ limit: 3, cursor: nextCursor, kind: 'user' })).status).toBe(400);
  });
});
