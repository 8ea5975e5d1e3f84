import { EventFeed } from '../../../src/platform/events/event-feed.service.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import { WebhookDeliveriesRepository } from '../../../src/outside/webhooks/webhook-deliveries.repository.js';
import { day } from '../../support/hotel.js';
import { startOps } from '../../support/ops.js';
import type { Service } from '../../support/start-app.js';
import { asking, type Case, type World } from './world.js';

/** Of members, keys, endpoints and the feed. */
export async function access(world: World, service: Service): Promise<Case[]> {
  const { api, door, done } = world;
  const ask = asking(world);
  const { organization, member } = await done('getMe');
  const [{ id: roleId }] = await done('listRoles');
  let count = 0;
  const invited = () => done('inviteMember', { email: `guest-${(count += 1)}@tests.example`, roleId });
  const removed = async () => {
    const { id: memberId } = await invited();
    await done('removeMember', { memberId });
    return { memberId };
  };
  const quota = async (name: string, limit: number): Promise<void> => {
    const ops = await startOps(service);
    await ops(`org update --org ${organization.id} --quota ${name}=${limit}`);
    await ops.close();
  };
  const endpoint = { url: 'https://93.184.215.14/', eventTypes: ['task.created'] };
  const { id: endpointId } = await done('createWebhookEndpoint', endpoint);
  return [
    ask('resendInvitation', 'MEMBER_REMOVED', removed),
    ask('suspendMember', 'MEMBER_REMOVED', removed),
    ask('rotateApiKey', 'API_KEY_MEMBER_NOT_A_MACHINE', async () => {
      const { id: keyId, memberId } = await done('createApiKey', { name: 'Suspended', scopes: ['tasks:read'] });
      await done('suspendMember', { memberId });
      return { keyId };
    }),
    ask('replayWebhookDeliveries', 'WEBHOOK_REPLAY_TOO_LARGE', () => {
      jest.spyOn(service.app.get(WebhookDeliveriesRepository), 'replay').mockResolvedValueOnce(10_001);
      return Promise.resolve({ endpointId, from: `${day(-1)}T00:00:00Z` });
    }),
    ask('replayWebhookDeliveries', 'WEBHOOK_ENDPOINT_DISABLED', async () => {
      await done('updateWebhookEndpoint', { endpointId, status: 'disabled' });
      return { endpointId, from: `${day(-1)}T00:00:00Z` };
    }),
    [
      'streamEvents',
      'TOO_MANY_STREAMS',
      async () => {
        const feed = service.app.get(EventFeed, { strict: false });
        const caller = operatorFor(organization.id as string, member.id as string);
        await Promise.all(Array.from({ length: 100 }, () => feed.stream(caller, {})));
        return await api.get('/events/stream');
      },
    ],
    ask('resendInvitation', 'QUOTA_EXCEEDED', async () => {
      const { id: memberId } = await invited();
      await quota('invitationsPerDay', 0);
      return { memberId };
    }),
    [
      'savePropertyByRef',
      'QUOTA_EXCEEDED',
      async () => {
        const { id: connectionId } = await done('createConnection', { provider: 'push', kind: 'pms', name: 'Vendor' });
        await quota('properties', 0);
        return await door.ask('savePropertyByRef', { connectionId, externalId: 'H', name: 'House', timezone: 'UTC' });
      },
    ],
  ];
}
