import type { Operation } from '#operations';
import type { Approval } from '../../../src/auth/approvals/approval.entity.js';
import { type Decider, mayDecide } from '../../../src/auth/approvals/may-decide.js';

const [here, elsewhere] = ['property_1', 'property_2'];
const archiveTask = {
  name: 'archiveTask',
  scope: 'tasks:write',
  effect: 'destructive',
  reach: 'property',
} as Operation;
const updateRole = { name: 'updateRole', scope: 'tasks:write', effect: 'write', reach: 'organization' } as Operation;
const asked = { caller: { userId: 'user_asking' }, propertyIds: [here] } as unknown as Approval;

const member = (more: object = {}): Decider =>
  ({
    userId: 'user_other',
    permissions: new Set(['approvals:decide', 'tasks:write']),
    propertyIds: null,
    ...more,
  }) as Decider;
const requester = (more: object = {}): Decider =>
  member({ userId: 'user_asking', permissions: new Set(['tasks:write']), ...more });

it.each<[string, boolean, Decider, Operation?, boolean?]>([
  ['the person on whose behalf it was requested', true, requester()],
  ['a member who decides for others', true, member()],
  ['a member who does not decide for others', false, member({ permissions: new Set(['tasks:write']) })],
  ['a member without the operation’s scope', false, member({ permissions: new Set(['approvals:decide']) })],
  ['the person, without the operation’s scope', false, requester({ permissions: new Set() })],
  ['the person, where another member must decide', false, requester(), archiveTask, true],
  ['another member, where another member must decide', true, member(), archiveTask, true],
  ['a member who is limited to the property', true, member({ propertyIds: [here] })],
  ['a member who is limited to another property', false, member({ propertyIds: [elsewhere] })],
  ['a limited member, about the whole organization', false, member({ propertyIds: [here] }), updateRole],
])('%s may decide: %s', (_, may, decider, operation = archiveTask, byOthers = false) => {
  expect(mayDecide(asked, operation, decider, byOthers)).toBe(may);
});

it.each<[string, boolean, string[] | null]>([
  ['a credential that sees every property', false, null],
  ['a credential that sees another property too', false, [here, elsewhere]],
  ['a credential with the same limit', true, [here]],
])('a limited member may decide about requests that name no property, asked by %s: %s', (_, may, propertyIds) => {
  const reveal = { caller: { propertyIds }, propertyIds: [] } as unknown as Approval;
  expect(mayDecide(reveal, archiveTask, member({ propertyIds: [here] }), false)).toBe(may);
});

it('lets the creator of the requesting key decide only if the requester may', () => {
  const ofKey = { caller: { madeBy: 'user_other' }, propertyIds: [here] } as unknown as Approval;
  expect([false, true].map((byOthers) => mayDecide(ofKey, archiveTask, member(), byOthers))).toEqual([true, false]);
});
