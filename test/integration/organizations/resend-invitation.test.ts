import { SystemDatabase } from '#system-database';
import { organizationForEach } from '../../support/behind-the-api.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { absentId, addPerson, keyWith, roleNamed } from '../../support/people.js';

const service = organizationForEach();

afterEach(() => clock.restore());

const lettersTo = async (email: string): Promise<number> =>
  (await service().app.get(SystemDatabase).rows('select 1 from mails where recipient = $1', [email])).length;

describe.each(doorNames)('resendInvitation over %s', (name) => {
  const resend = (memberId: string) => doors(service())[name].ask('resendInvitation', { memberId });
  const invite = async (email: string, role = 'viewer') =>
    (await service().api.post('/members', { email, roleId: await roleNamed(service(), role) })).body.data;

  it('mails another link after an hour, and at most three a day', async () => {
    const email = `again-${name}@tests.example`;
    const { id, invitationSentAt } = await invite(email);
    expect((await resend(id)).body.error.code).toBe('INVITED_RECENTLY');
    clock.advance(61 * 60_000);
    const { status, body } = await resend(id);
    expect([status, body.data.status, body.data.invitationSentAt > invitationSentAt]).toEqual([200, 'invited', true]);
    clock.advance(61 * 60_000);
    expect((await resend(id)).status).toBe(200);
    clock.advance(61 * 60_000);
    expect((await resend(id)).body.error.code).toBe('INVITED_RECENTLY');
    expect(await lettersTo(email)).toBe(3);
  });

  it('is only for invited members, and by members who could invite them', async () => {
    const { id: active } = await addPerson(service());
    expect((await resend(active)).body.error.code).toBe('MEMBER_STATUS');
    expect((await resend(absentId('member'))).status).toBe(404);
    const { id } = await invite(`owner-${name}@tests.example`, 'owner');
    clock.advance(61 * 60_000);
    const lesser = doors(service())[name].as(await keyWith(service(), ['members:manage']));
    expect((await lesser.ask('resendInvitation', { memberId: id })).status).toBe(403);
  });
});

it('members show their last activity, and to those who manage members whether they have a second factor', async () => {
  const machine = service().api.as(await keyWith(service(), ['members:read']));
  const memberId = (await machine.get('/me')).body.data.member.id as string;
  const person = await addPerson(service());
  const ofPerson = (await service().api.get(`/members/${person.id}`)).body.data;
  expect(ofPerson).toMatchObject({ lastActiveAt: null, hasSecondFactor: false });
  const listed = (await machine.get('/members')).body.data as { id: string; hasSecondFactor: unknown }[];
  expect(listed.find(({ id }) => id === person.id)?.hasSecondFactor).toBeNull();
  const used = (await service().api.get(`/members/${memberId}`)).body.data;
  expect(used).toMatchObject({ lastActiveAt: expect.any(String), hasSecondFactor: null });
});
