import { TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Member } from '../../../src/tenancy/members/member.entity.js';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { MembersRepository } from '../../../src/tenancy/members/members.repository.js';
import { freshOrganization } from '../../support/behind-the-api.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { absentId, addPerson, addProperty, keyWith, roleNamed } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';

let started: Service;
let service: Service;
let viewer: string;
beforeAll(async () => {
  started = await startApp();
});
afterAll(() => started.close());
beforeEach(async () => {
  service = await freshOrganization(started);
  viewer = await roleNamed(service, 'viewer');
});

afterEach(() => clock.restore());

const lettersTo = async (email: string): Promise<number> =>
  (await started.app.get(SystemDatabase).rows('select 1 from mails where lower(recipient) = lower($1)', [email]))
    .length;

describe.each(doorNames)('inviteMember over %s', (name) => {
  const door = () => doors(service)[name];
  const invite = (input: object) => door().ask('inviteMember', { roleId: viewer, ...input });

  it('creates an invited member for an address without an account', async () => {
    const { status, body } = await invite({ email: 'Eva@Example.com' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      kind: 'user',
      name: 'Eva@Example.com',
      email: 'Eva@Example.com',
      roleId: viewer,
      propertyIds: null,
      status: 'invited',
    });
  });

  it('reveals nothing of the account that an address has, neither its name nor its second factor', async () => {
    const account = { email: `eva-${name}@example.com`, name: 'Eva', password: 'some long words' };
    const user = await service.app.get(UsersService).create(account);
    const { body } = await invite({ email: account.email });
    expect(body.data).toMatchObject({ name: account.email, status: 'invited' });
    const organization = (await service.api.get('/organization')).body.data;
    const repository = service.app.get(MembersRepository);
    const member = (await repository.find(organization.id, body.data.id)) as Member;
    expect(member.userId).toBeNull();
    // As invitations were stored before.
    await service.app
      .get(TenantDatabase)
      .transaction(organization.id, () => repository.update(member, { userId: user.id }));
    const { data } = (await door().ask('getMember', { memberId: body.data.id })).body;
    expect(data.hasSecondFactor).toBeNull();
  });

  it('rejects the address of a member, whatever address they were invited with', async () => {
    const { email, userId } = await addPerson(service);
    const other = `other-${name}@tests.example`;
    await service.app
      .get(SystemDatabase)
      .rows('update users set email = $2 where id = $1', [uuidIn(userId as string), other]);
    expect((await invite({ email: other.toUpperCase() })).body.error.code).toBe('MEMBER_EXISTS');
    expect(email).not.toBe(other);
  });

  it('rejects an address that is a member or invited, and takes it again once removed', async () => {
    const first = await invite({ email: 'eva@example.com' });
    const again = await invite({ email: 'EVA@example.com' });
    expect([again.status, again.body.error.code]).toEqual([409, 'MEMBER_EXISTS']);
    const { email } = await addPerson(service);
    expect((await invite({ email })).body.error.code).toBe('MEMBER_EXISTS');

    await door().ask('removeMember', { memberId: first.body.data.id });
    expect((await invite({ email: 'eva@example.com' })).status).toBe(201);
  });

  it('repeats no letter within an hour while its link works, and sends another one after that', async () => {
    const email = `twice-${name}@tests.example`;
    const letters = () => lettersTo(email);
    const first = (await invite({ email })).body.data;
    expect(first.invitationSentAt).toEqual(expect.any(String));
    await door().ask('removeMember', { memberId: first.id });
    clock.advance(3_540_000);
    const second = (await invite({ email: email.toUpperCase() })).body.data;
    expect(second).toMatchObject({ status: 'invited', invitationSentAt: first.invitationSentAt });
    expect(await letters()).toBe(1);
    await door().ask('removeMember', { memberId: second.id });
    clock.advance(61_000);
    const third = (await invite({ email })).body.data;
    expect(third.invitationSentAt > first.invitationSentAt).toBe(true);
    expect(await letters()).toBe(2);
  });

  it('sends an address three letters a day across all organizations, and reveals none of the others', async () => {
    const email = `popular-${name}@tests.example`;
    const answers = [];
    for (let n = 0; n < 4; n += 1) {
      service = await freshOrganization(started);
      answers.push((await invite({ email, roleId: await roleNamed(service, 'viewer') })).body.data);
    }
    expect(answers.map(({ status }) => status)).toEqual(['invited', 'invited', 'invited', 'invited']);
    expect(answers.map(({ invitationSentAt }) => invitationSentAt !== null)).toEqual([true, true, true, false]);
    expect(await lettersTo(email)).toBe(3);
    for (const [afterMs, isSent] of [
      [24 * 3_600_000 - 60_000, false],
      [60_001, true],
    ] as const) {
      clock.advance(afterMs);
      service = await freshOrganization(started);
      const { data } = (await invite({ email, roleId: await roleNamed(service, 'viewer') })).body;
      expect(data.invitationSentAt !== null).toBe(isSent);
    }
  });

  it('limits to properties that exist', async () => {
    const propertyId = await addProperty(service);
    expect((await invite({ email: 'a@example.com', propertyIds: [propertyId] })).body.data.propertyIds).toEqual([
      propertyId,
    ]);
    expect((await invite({ email: 'b@example.com', propertyIds: [absentId('property')] })).status).toBe(404);
    expect((await invite({ email: 'b@example.com', roleId: absentId('role') })).status).toBe(404);
  });

  it('grants no permission and no property that the caller lacks', async () => {
    const [mine, other] = [await addProperty(service), await addProperty(service)];
    const scopes = ['members:manage', 'members:read', 'properties:read', 'tasks:read', 'organization:read'];
    const limited = door().as(await keyWith(service, scopes, [mine]));
    const ask = (input: object) => limited.ask('inviteMember', { email: 'eva@example.com', ...input });

    const owner = await ask({ roleId: await roleNamed(service, 'owner') });
    expect(owner.status).toBe(403);
    expect(owner.body.error.message).toContain('organization:manage');
    const night = { name: 'night', permissions: ['tasks:read'] };
    const { id: roleId } = (await service.api.post('/roles', night)).body.data;
    expect((await ask({ roleId, propertyIds: [other] })).status).toBe(404);
    expect((await ask({ roleId })).body.data.propertyIds).toEqual([mine]);
  });

  it.each(['eva', 'eva@', 'eva@localhost', 'a b@example.com', `${'e'.repeat(250)}@example.com`])(
    'rejects the address %s',
    async (email) => {
      const { status, body } = await invite({ email });
      expect(status).toBe(400);
      expect(body.error.details.issues).toMatchObject([{ path: ['email'] }]);
    },
  );
});
