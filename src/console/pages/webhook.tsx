import { DateTime } from 'luxon';
import {
  deleteWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  replayWebhookDeliveries,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../outside/webhooks/webhooks.operations.js';
import type { WebhookEndpointView } from '../../outside/webhooks/webhook-endpoint.dto.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { notFound } from '#errors';
import type { Visit } from '../frame/visit.js';
import { type Bar, Bars } from '../parts/bars.js';
import { Act, FoldedAct } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Facts, List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { Id, State } from '../parts/words.js';
import { deliveryColumns } from './deliveries.js';
import { namesOf } from './names.js';

/** No operation returns one endpoint, and an organization has few. */
async function endpointOf({ ask, params }: Visit): Promise<WebhookEndpointView> {
  const { items } = await ask(listWebhookEndpoints, { limit: 100 });
  const found = items.find(({ id }) => id === params.endpointId);
  if (!found) throw notFound('webhook endpoint');
  return found;
}

export const webhook: ConsolePage = {
  path: 'webhooks/:endpointId',
  title: 'Webhook endpoint',
  needs: 'webhooks:read',
  isLive: true,
  forms: [
    form(testWebhookEndpoint, 'A test event was sent. Its delivery is at the top of the list.'),
    form(updateWebhookEndpoint, 'The endpoint was changed.', { isSensitive: true }),
    form(rotateWebhookSecret, 'The secret was rotated.', { isSensitive: true }),
    form(deleteWebhookEndpoint, 'The endpoint was deleted.', { isSensitive: true, next: () => 'webhooks' }),
    form(replayWebhookDeliveries, 'The events were sent again.'),
  ],
  async show(visit) {
    const one = await endpointOf(visit);
    const [members, week] = await Promise.all([namesOf(visit, 'members'), weekOf(visit, one.id)]);
    const to = { endpointId: one.id };
    const isOff = one.status === 'disabled';
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              Address: one.url,
              State: <State is={one.status} />,
              'Failing since': one.failingSince && <Moment at={one.failingSince} />,
              'Missing permissions': one.missingScopes.join(', '),
              Events: one.eventTypes[0] === '*' ? 'all that its last editor can read' : one.eventTypes.join(', '),
              'Last edited by': one.boundTo && (members.get(one.boundTo) ?? one.boundTo),
              'Old secret signs until': one.previousSecretUntil && <Moment at={one.previousSecretUntil} />,
              Id: <Id id={one.id} />,
            }}
          />
          <div class="acts">
            <Act does={testWebhookEndpoint} to={to} label="Send a test" />
            {isOff && <Act does={updateWebhookEndpoint} to={{ ...to, status: 'enabled' }} label="Enable" isPrimary />}
            {!isOff && (
              <Act
                does={updateWebhookEndpoint}
                to={{ ...to, status: 'disabled' }}
                label="Disable"
                ask="No events are sent to it until it is enabled again."
              />
            )}
            <Act does={updateWebhookEndpoint} to={to} label="Change" ask="Applies to events from now on.">
              <Entry name="url" label="Address" value={one.url} />
              <Entry name="eventTypes" label="Event types" value={one.eventTypes.join(', ')} hint="* for all." />
              <Entry name="description" label="What it is for" value={one.description} />
            </Act>
            <Act
              does={rotateWebhookSecret}
              to={to}
              label="Rotate the secret"
              ask="Deliveries are signed with both secrets for 24 hours, then only with the new one."
            />
            <Act
              does={deleteWebhookEndpoint}
              to={to}
              label="Delete"
              ask="The endpoint and the log of its deliveries are deleted permanently."
            />
          </div>
          <FoldedAct does={replayWebhookDeliveries} title="Send the events of a period again">
            <Act does={replayWebhookDeliveries} to={to} label="Send them again">
              <Entry name="from" label="From" />
              <Entry name="to" label="To" />
            </Act>
          </FoldedAct>
        </section>
        <section class="panel">
          <Bars
            {...week}
            title={`${week.isPartial ? `The newest ${mostCounted.toLocaleString('en')} deliveries` : 'Deliveries'} of the last seven days`}
            good="Succeeded"
            bad="Others"
          />
        </section>
        <h2>Deliveries</h2>
        <List
          caption="Deliveries"
          page={await visit.list(listWebhookDeliveries, [], to)}
          empty="No deliveries yet."
          columns={deliveryColumns}
        />
      </>
    );
  },
};

const [days, dayMs, atOnce, mostCounted] = [7, 86_400_000, 100, 1_000];

/** How the deliveries of each day ended; of more than can be counted, the newest. */
async function weekOf(
  { ask, membership: { timezone: zone } }: Visit,
  endpointId: string,
): Promise<{ bars: Bar[]; isPartial: boolean }> {
  const from = new Date(Date.now() - (days - 1) * dayMs);
  const dayOf = (at: string | Date): string =>
    DateTime.fromJSDate(new Date(at), { zone }).toFormat('d LLL', { locale: 'en' });
  const bars = new Map(
    Array.from({ length: days }, (_, day) => {
      const label = dayOf(new Date(from.getTime() + day * dayMs));
      return [label, { label, good: 0, bad: 0 }];
    }),
  );
  let cursor: string | null | undefined;
  for (let counted = 0; counted < mostCounted && cursor !== null; counted += atOnce) {
    const page = await ask(listWebhookDeliveries, { endpointId, from: from.toISOString(), limit: atOnce, cursor });
    for (const { createdAt, status } of page.items) {
      const bar = bars.get(dayOf(createdAt));
      if (bar) bar[status === 'succeeded' ? 'good' : 'bad'] += 1;
    }
    cursor = page.nextCursor;
  }
  return { bars: [...bars.values()], isPartial: cursor !== null };
}
