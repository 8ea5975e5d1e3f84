import { notFound } from '#errors';
import type { WebhookDeliveryView } from '../../outside/webhooks/webhook-delivery.dto.js';
import { listWebhookDeliveries, replayWebhookDeliveries } from '../../outside/webhooks/webhooks.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { Filters } from '../parts/filters.js';
import { type Column, Facts, List, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { Id, State, To } from '../parts/words.js';

const filters = ['status', 'eventId', 'endpointId', 'from', 'to'] as const;

const soonMs = 10_000;

/** The first attempts follow within seconds; later ones may be hours away. */
const Condition = ({ status, nextAttemptAt }: WebhookDeliveryView) => (
  <State is={status} isMoving={nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + soonMs} />
);

export const deliveryColumns: readonly Column<WebhookDeliveryView>[] = [
  ['When', ({ createdAt }) => <Moment at={createdAt} />],
  ['Event', ({ id, endpointId, eventType }) => <To page={`webhooks/${endpointId}/deliveries/${id}`}>{eventType}</To>],
  ['State', (one) => <Condition {...one} />],
  ['Attempts', ({ attempts }) => attempts.length],
  ['Response', ({ response, attempts }) => response?.status ?? attempts.at(-1)?.error ?? '–'],
];

export const deliveries: ConsolePage = {
  path: 'deliveries',
  title: 'Deliveries',
  needs: 'webhooks:read',
  isLive: true,
  async show(visit) {
    return (
      <>
        <Filters of={listWebhookDeliveries} names={filters} />
        <List
          caption="Deliveries"
          page={await visit.list(listWebhookDeliveries, filters)}
          empty="No deliveries match these filters."
          columns={deliveryColumns}
        />
      </>
    );
  },
};

/** No operation returns one delivery; it is among the newest of its endpoint, or further back. */
async function deliveryOf({ ask, params: { endpointId, deliveryId } }: Visit): Promise<WebhookDeliveryView> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await ask(listWebhookDeliveries, { endpointId, limit: 100, cursor });
    const found = items.find(({ id }) => id === deliveryId);
    if (found) return found;
    cursor = nextCursor ?? undefined;
  } while (cursor);
  throw notFound('delivery');
}

export const delivery: ConsolePage = {
  path: 'webhooks/:endpointId/deliveries/:deliveryId',
  title: 'Delivery',
  needs: 'webhooks:read',
  isLive: true,
  forms: [form(replayWebhookDeliveries, 'The delivery was sent again. The list of its endpoint shows the result.')],
  async show(visit) {
    const one = await deliveryOf(visit);
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              Event: one.eventType,
              State: <Condition {...one} />,
              Created: <Moment at={one.createdAt} />,
              Finished: one.finishedAt && <Moment at={one.finishedAt} />,
              'Next attempt': one.nextAttemptAt && <Moment at={one.nextAttemptAt} />,
              'Event id': <Id id={one.eventId} />,
              Endpoint: <To page={`webhooks/${one.endpointId}`}>its endpoint</To>,
            }}
          />
          <div class="acts">
            <Act
              does={replayWebhookDeliveries}
              to={{ endpointId: one.endpointId, eventId: one.eventId }}
              label="Send again"
              isPrimary
            />
          </div>
        </section>
        <section class="panel">
          <h2>Attempts</h2>
          <Table
            caption="Attempts"
            items={one.attempts}
            empty="None yet."
            columns={[
              ['When', ({ at }) => <Moment at={at} />],
              ['Response', ({ status, error }) => status ?? error ?? '–'],
              ['Duration', ({ durationMs }) => `${durationMs} ms`],
            ]}
          />
        </section>
        {one.request && <Sent title="Last request" head={headOf(one.request)} body={one.request.body} />}
        {one.response && <Sent title="Last response" head={`Status ${one.response.status}`} body={one.response.body} />}
      </>
    );
  },
};

const headOf = ({ url, headers }: { url: string; headers: Record<string, string> }): string =>
  [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');

const Sent = ({ title, head, body }: { title: string; head: string; body: string }) => (
  <section class="panel">
    <h2>{title}</h2>
    <pre tabindex={0}>{head}</pre>
    {body && <pre tabindex={0}>{readable(body)}</pre>}
  </section>
);

/** JSON with its lines; any other text as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
