import { SystemDatabase } from '#system-database';
import { TenantDatabase } from '#persistence';
import { ApprovalsRepository } from '../../../../src/auth/approvals/approvals.repository.js';
import { approvalRequested } from '../../../../src/auth/approvals/approvals.events.js';
import { EventsService } from '../../../../src/platform/events/events.service.js';
import { approvalOf } from '../../../support/approvals.js';
import { keyWith } from '../../../support/factories.js';
import { roleNamed } from '../../../support/people.js';
import { another, deleting, made, patching, posting, type Scenes, world } from './world.js';

const roleId = (): Promise<string> => roleNamed(world.service, 'viewer');

const member = async (): Promise<string> =>
  await made('/members', { email: `told-${another()}@tests.example`, roleId: await roleId() });

export const machine = async (): Promise<string> =>
  (await world.api.post('/api-keys', { name: 'k', scopes: ['tasks:read'] })).body.data.memberId as string;

const role = (): Promise<string> => made('/roles', { name: `Role ${another()}`, permissions: ['tasks:read'] });

export const people: Scenes = {
  updateOrganization: [
    ['organization.updated'],
    () => {
      const name = `Lakeside Stays ${another()}`;
      return Promise.resolve(() => world.api.patch('/organization', { name }));
    },
  ],
  inviteMember: [
    ['member.invited'],
    async () => {
      const invitation = { email: `invited-${another()}@tests.example`, roleId: await roleId() };
      return () => world.api.post('/members', invitation);
    },
  ],
  resendInvitation: [
    ['member.invited_again'],
    async () => {
      const id = await member();
      await world.service.app
        .get(SystemDatabase)
        .rows(`update mailed_links set created_at = created_at - interval '2 hours'`, []);
      return () => world.api.post(`/members/${id}/resend-invitation`);
    },
  ],
  updateMember: [['member.updated'], patching(member, (id) => `/members/${id}`, { name: 'Other' })],
  suspendMember: [['member.suspended'], posting(machine, (id) => `/members/${id}/suspend`)],
  reinstateMember: [
    ['member.reinstated'],
    async () => {
      const id = await machine();
      await world.api.post(`/members/${id}/suspend`);
      return () => world.api.post(`/members/${id}/reinstate`);
    },
  ],
  removeMember: [['member.removed'], deleting(member, (id) => `/members/${id}`)],
  createRole: [
    ['role.created'],
    () => {
      const name = `Made ${another()}`;
      return Promise.resolve(() => world.api.post('/roles', { name, permissions: ['tasks:read'] }));
    },
  ],
  updateRole: [['role.updated'], patching(role, (id) => `/roles/${id}`, { permissions: ['guests:read'] })],
  deleteRole: [['role.deleted'], deleting(role, (id) => `/roles/${id}`)],
  createApiKey: [
    ['member.added', 'api_key.created'],
    () => Promise.resolve(() => world.api.post('/api-keys', { name: 'k', scopes: ['tasks:read'] })),
  ],
  rotateApiKey: [
    ['api_key.rotated', 'api_key.created'],
    posting(
      async () => (await keyWith(world.api)).id,
      (id) => `/api-keys/${id}/rotate`,
    ),
  ],
  revokeApiKey: [
    ['api_key.revoked'],
    posting(
      async () => (await keyWith(world.api)).id,
      (id) => `/api-keys/${id}/revoke`,
    ),
  ],
  withdrawApproval: [
    ['approval.decided'],
    async () => {
      const row = await approvalOf({ ...world, orgId: (await world.api.get('/organization')).body.data.id as string });
      await world.service.app.get(TenantDatabase).transaction(row.orgId, async () => {
        await world.service.app.get(ApprovalsRepository).insert(row);
        world.service.app.get(EventsService).record(row, approvalRequested, row);
      });
      return () => world.api.post(`/approvals/${row.id}/withdraw`);
    },
  ],
};
