import type { Api } from '../../support/api.js';
import { type DoorReply, doorNames, doors } from '../../support/doors.js';
import { absentId, keyWith, propertyOf } from '../../support/factories.js';
import { type Member, type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { simulatorOf } from '../../support/simulator.js';
import { activeWorkflowOf, hasEnded, runWhen } from '../../support/workflows.js';
import { steps } from './oracle.js';

/**
 * What a credential that is limited to one property must not do to all of them, tested with the requests that were once
 * possible.
 */
let world: OAuthWorld;
let owner: Api;
let here: string;
let elsewhere: string;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.everything();
  [here, elsewhere] = [await propertyOf(owner, 'Here'), await propertyOf(owner, 'Elsewhere')];
});
afterAll(() => world.close());

/** A manager of one property. */
async function limitedPerson(): Promise<Member> {
  const person = await world.person();
  expect((await owner.patch(`/members/${person.memberId}`, { propertyIds: [here] })).status).toBe(200);
  return person;
}

const outcome = ({ status, body }: DoorReply): string => `${status} ${body.error?.code}`;
const refused = '403 ORGANIZATION_WIDE';

describe.each(doorNames)('over %s', (name) => {
  let limited: string;
  beforeAll(async () => {
    limited = (await keyWith(owner, { propertyIds: [here] })).key;
  });
  const ask = async (operation: string, input: object = {}, key = limited): Promise<DoorReply> =>
    await doors(world.service)[name].as(key).ask(operation, input);

  it('a manager of one property cannot change a role, and so cannot reveal a code of another property with it', async () => {
    const permissions = ['access-codes:read', 'devices:read'];
    const { id: roleId } = (await owner.post('/roles', { name: `Night porter ${name}`, permissions })).body.data;
    const porter = await world.person(`"Night porter ${name}"`);
    const { access_token: token } = await world.tokensOf(porter, { scopes: [...permissions, 'access-codes:reveal'] });
    const device = (await simulatorOf(owner, { propertyId: elsewhere })).devices['sim-lock-1'];
    const code = { deviceId: device, name: 'Cleaners', type: 'ongoing' };
    const { id: accessCodeId } = (await owner.post('/access-codes', code)).body.data;
    const manager = await limitedPerson();
    const { access_token: managers } = await world.tokensOf(manager, {
      scopes: ['members:read', 'members:manage', 'access-codes:reveal'],
    });

    const stolen = { roleId, permissions: [...permissions, 'access-codes:reveal'] };
    expect(outcome(await ask('updateRole', stolen, managers))).toBe(refused);
    expect(outcome(await ask('revealAccessCode', { accessCodeId }, token))).toBe('403 FORBIDDEN');
    expect((await owner.get('/roles?limit=100')).body.data).toContainEqual(
      expect.objectContaining({ id: roleId, permissions, version: 1 }),
    );
    expect(outcome(await ask('createRole', { name: `Mine ${name}`, permissions: ['members:read'] }, managers))).toBe(
      refused,
    );
    expect(outcome(await ask('deleteRole', { roleId }, managers))).toBe(refused);
    expect((await ask('listRoles', {}, managers)).status).toBe(200);
  });

  it('a key cannot change settings of the organization, but reads them', async () => {
    const before = (await owner.get('/organization')).body.data;
    for (const changes of [{ remoteControlEnabled: false }, { requireTwoFactor: true }, { name: 'Mine' }])
      expect(outcome(await ask('updateOrganization', changes))).toBe(refused);
    expect((await owner.get('/organization')).body.data).toEqual(before);
    expect((await ask('getOrganization')).body.data).toEqual(before);
  });

  it('a key cannot see the secret of a workflow', async () => {
    const workflow = { name: 'Signed', trigger: { kind: 'manual' }, steps };
    const { id: workflowId } = (await owner.post('/workflows', workflow)).body.data;
    const reply = await ask('revealWorkflowSecret', { workflowId });
    expect([outcome(reply), JSON.stringify(reply.body)]).toEqual([refused, expect.not.stringContaining('whsec_')]);
    expect((await ask('getWorkflow', { workflowId })).status).toBe(200);
    expect((await ask('revealWorkflowSecret', { workflowId }, owner.key)).body.data.secret).toMatch(/^whsec_/);
  });

  it('a key can neither suppress an address nor lift a suppression', async () => {
    const email = `quiet-${name}@tests.example`;
    expect(outcome(await ask('addSuppression', { email }))).toBe(refused);
    expect((await owner.get(`/suppressions?email=${email}`)).body.data).toEqual([]);
    const { id: suppressionId } = (await owner.post('/suppressions', { email })).body.data;
    expect(outcome(await ask('removeSuppression', { suppressionId }))).toBe(refused);
    expect((await ask('listSuppressions', { email })).body.data).toHaveLength(1);
  });

  it('a key can neither revoke nor rotate a key with another limit, nor change such a member', async () => {
    for (const propertyIds of [null, [elsewhere], [here, elsewhere]]) {
      const { id: keyId, api } = await keyWith(owner, { propertyIds });
      expect(outcome(await ask('revokeApiKey', { keyId }))).toBe(refused);
      expect(outcome(await ask('rotateApiKey', { keyId }))).toBe(refused);
      expect((await ask('getApiKey', { keyId })).body.data.propertyIds).toEqual(propertyIds);
      expect((await api.get('/me')).status).toBe(200);
      const { memberId } = await world.person('viewer');
      if (propertyIds) await owner.patch(`/members/${memberId}`, { propertyIds });
      for (const operation of ['updateMember', 'suspendMember', 'reinstateMember', 'removeMember'])
        expect(`${operation} ${outcome(await ask(operation, { memberId }))}`).toBe(`${operation} ${refused}`);
      expect((await ask('getMember', { memberId })).body.data.status).toBe('active');
    }
    expect(outcome(await ask('revokeApiKey', { keyId: absentId('key') }))).toBe('404 NOT_FOUND');
    expect(outcome(await ask('suspendMember', { memberId: absentId('member') }))).toBe('404 NOT_FOUND');
  });

  it('a key changes the keys and the members of its own property, and creates no others', async () => {
    const { body } = await ask('createApiKey', { name: 'Mine', scopes: ['tasks:read'], propertyIds: null });
    const { id: keyId, memberId, propertyIds } = body.data;
    expect([propertyIds, (await ask('getMember', { memberId })).body.data.propertyIds]).toEqual([[here], [here]]);
    expect((await ask('revokeApiKey', { keyId })).body.data.status).toBe('revoked');
    expect((await ask('suspendMember', { memberId })).body.data.status).toBe('suspended');
    const person = await limitedPerson();
    expect((await ask('updateMember', { memberId: person.memberId, propertyIds: null })).body.data.propertyIds).toEqual(
      [here],
    );
    expect((await ask('removeMember', { memberId: person.memberId })).status).toBe(200);
  });

  it('a key disconnects only the applications of members of its own property', async () => {
    const applicationOf = async ({ userId }: Member): Promise<string> =>
      (await owner.get('/applications?of=organization&limit=100')).body.data.find(
        (one: { userId: string }) => one.userId === userId,
      ).id as string;
    const [anyone, within] = [await world.person(), await limitedPerson()];
    const [tokens, theirs] = [await world.tokensOf(anyone), await world.tokensOf(within)];
    const [applicationId, own] = [await applicationOf(anyone), await applicationOf(within)];
    expect(outcome(await ask('revokeApplication', { applicationId }))).toBe(refused);
    expect((await world.rest(tokens.access_token).get('/me')).status).toBe(200);
    expect((await ask('revokeApplication', { applicationId: own })).status).toBe(200);
    expect((await world.rest(theirs.access_token).get('/me')).status).toBe(401);
  });

  it('a person disconnects applications of their own whatever their limit', async () => {
    const person = await limitedPerson();
    const scopes = ['applications:read', 'applications:write'];
    const { access_token: token } = await world.tokensOf(person, { scopes });
    const { body } = await ask('listApplications', {}, token);
    expect((await ask('revokeApplication', { applicationId: body.data[0].id }, token)).status).toBe(200);
  });

  it('the error names the next step, after the scope is checked and before the input is', async () => {
    const { key: unable } = await keyWith(owner, { propertyIds: [here], scopes: ['tasks:read'] });
    expect(outcome(await ask('updateRole', { roleId: absentId('role') }, unable))).toBe('403 FORBIDDEN');
    const { status, body } = await ask('updateRole', { roleId: 'nonsense', colour: 'red' });
    expect([status, body.error]).toEqual([
      403,
      {
        type: 'authorization_error',
        code: 'ORGANIZATION_WIDE',
        message:
          'This credential is limited to some properties and cannot do this. Use a credential without a property limit.',
      },
    ]);
  });
});

it('a workflow does no more than the member that it acts as, who is limited to a property', async () => {
  const { memberId: runAsMemberId } = await limitedPerson();
  const step = { kind: 'operation', operation: 'createProperty', input: { name: 'By a workflow', timezone: 'UTC' } };
  const workflow = { name: 'Grows', trigger: { kind: 'manual' }, runAsMemberId, steps: [step] };
  const workflowId = await activeWorkflowOf(owner, workflow);
  await owner.post(`/workflows/${workflowId}/run`);
  const { status, error } = await runWhen(owner, workflowId, hasEnded);
  expect([status, error.code]).toEqual(['failed', 'ORGANIZATION_WIDE']);
});
