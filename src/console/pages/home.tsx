import { DateTime } from 'luxon';
import { listDevices } from '../../features/devices/devices.operations.js';
import { listWebhookDeliveries } from '../../outside/webhooks/webhooks.operations.js';
import type { EventView } from '../../platform/events/event.dto.js';
import type { ConsolePage } from '../frame/console-page.js';
import type { Visit } from '../frame/visit.js';
import { Bars } from '../parts/bars.js';
import { Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { Record } from '../parts/record.js';
import { humanized, To } from '../parts/words.js';
import { type Names, namesOf } from './names.js';
import { summed, usageRows } from './usage-rows.js';

const hourMs = 3_600_000;
const lastEvents = 20;

export const home: ConsolePage = {
  path: '',
  title: 'Home',
  isLive: true,
  async show(visit) {
    return (
      <>
        {visit.may('requests:read') && <Requests {...await requestsOfADay(visit)} />}
        <Attention points={await pointsOf(visit)} />
        {visit.may('events:read') && (
          <Events events={await visit.newestEvents(lastEvents)} members={await namesOf(visit, 'members')} />
        )}
      </>
    );
  },
};

interface Found {
  items: readonly unknown[];
  nextCursor: string | null;
}

/** The length of a list, as far as its first page shows it. */
const countOf = ({ items, nextCursor }: Found): string => `${items.length}${nextCursor === null ? '' : ' or more'}`;

async function requestsOfADay(visit: Visit) {
  const zone = visit.membership.timezone;
  const thisHour = Math.floor(Date.now() / hourMs) * hourMs;
  const from = new Date(thisHour - 23 * hourMs).toISOString();
  const sums = summed(await usageRows(visit, { from }), ({ at }) => String(Date.parse(at)));
  const bars = Array.from({ length: 24 }, (_, hour) => {
    const at = thisHour - (23 - hour) * hourMs;
    const { requests = 0, errors = 0 } = sums.get(String(at)) ?? {};
    const label = DateTime.fromMillis(at, { zone }).toFormat('d LLL, HH:mm');
    return { label, good: requests - errors, bad: errors };
  });
  return { bars };
}

const Requests = ({ bars }: Awaited<ReturnType<typeof requestsOfADay>>) => {
  const errors = bars.reduce((sum, { bad }) => sum + bad, 0);
  const requests = bars.reduce((sum, { good }) => sum + good, errors);
  return (
    <section class="panel">
      <h2>Requests of the last 24 hours</h2>
      <p class="figures">
        <span>
          <strong>{requests.toLocaleString('en')}</strong> <To page="requests">requests</To>
        </span>
        <span>
          <strong>{requests === 0 ? '0' : ((errors / requests) * 100).toFixed(1)} %</strong>{' '}
          <To page="requests?status=4xx">ended in an error</To>
        </span>
      </p>
      <Bars bars={bars} title="Requests by hour" good="Succeeded" bad="Ended in an error" />
    </section>
  );
};

interface Point {
  count: string;
  what: string;
  page: string;
}

/** What needs attention, as far as the person may see it. Empty groups are left out. */
async function pointsOf({ ask, may, approvals }: Visit): Promise<Point[]> {
  const points: Point[] = [];
  const add = (found: Found, one: string, several: string, page: string): void => {
    const what = found.items.length === 1 && found.nextCursor === null ? one : several;
    if (found.items.length > 0) points.push({ count: countOf(found), what, page });
  };
  const waiting = await approvals('pending');
  add({ items: waiting, nextCursor: null }, 'pending approval', 'pending approvals', 'approvals');
  if (may('webhooks:read')) {
    const failed = await ask(listWebhookDeliveries, { status: 'failed', limit: 100 });
    add(failed, 'webhook delivery failed', 'webhook deliveries failed', 'deliveries?status=failed');
  }
  if (may('devices:read')) {
    const offline = await ask(listDevices, { online: false, limit: 100 });
    add(offline, 'device is offline', 'devices are offline', 'devices?online=false');
  }
  return points;
}

const Attention = ({ points }: { points: readonly Point[] }) => (
  <section class="panel">
    <h2>Needs attention</h2>
    {points.length === 0 && <p class="soft">Nothing needs attention.</p>}
    <ul class="points">
      {points.map(({ count, what, page }) => (
        <li key={what}>
          <To page={page}>
            <strong>{count}</strong> {what}
          </To>
        </li>
      ))}
    </ul>
  </section>
);

const Events = ({ events, members }: { events: readonly EventView[]; members: Names }) => (
  <section class="panel">
    <h2>Latest events</h2>
    <Table
      caption="Events"
      items={events}
      empty="No events yet."
      columns={[
        ['When', ({ occurredAt }) => <Moment at={occurredAt} />],
        ['What', ({ type }) => type],
        ['Record', ({ subject }) => <Record {...subject} />],
        ['By', ({ actor }) => members.get(actor.id ?? '') ?? humanized(actor.type)],
      ]}
    />
  </section>
);
