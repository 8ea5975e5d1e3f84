import { DateTime } from 'luxon';
import { getOrganization } from '../../tenancy/organizations/organizations.operations.js';
import { listApiKeys } from '../../auth/api-keys/api-keys.operations.js';
import type { ConsolePage } from '../frame/console-page.js';
import { Bars } from '../parts/bars.js';
import { Facts, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { Id } from '../parts/words.js';
import { summed, usageRows } from './usage-rows.js';

const days = 30;
const dayMs = 86_400_000;

export const usage: ConsolePage = {
  path: 'usage',
  title: 'Usage',
  needs: 'requests:read',
  async show(visit) {
    const today = Math.floor(Date.now() / dayMs) * dayMs;
    const from = new Date(today - (days - 1) * dayMs).toISOString();
    const rows = await usageRows(visit, { per: 'day', from });
    const byDay = summed(rows, ({ at }) => String(Date.parse(at)));
    const keys = visit.may('api-keys:read') ? (await visit.ask(listApiKeys, { limit: 100 })).items : [];
    const organization = visit.may('organization:read') ? await visit.ask(getOrganization, {}) : undefined;
    const byOperation = [...summed(rows, ({ operation }) => operation ?? 'no operation, such as pages')];
    return (
      <>
        <section class="panel">
          <Bars
            title="Requests of the last 30 days"
            good="Succeeded"
            bad="Ended in an error"
            bars={Array.from({ length: days }, (_, day) => {
              const at = today - (days - 1 - day) * dayMs;
              const { requests = 0, errors = 0 } = byDay.get(String(at)) ?? {};
              return {
                label: DateTime.fromMillis(at, { zone: 'utc' }).toFormat('d LLL'),
                good: requests - errors,
                bad: errors,
              };
            })}
          />
          <p class="soft">Days are in UTC.</p>
        </section>
        <h2>By credential</h2>
        <Table
          caption="By credential"
          items={[...summed(rows, ({ credential }) => `${credential.kind} ${credential.id}`)]}
          empty="No requests in this period."
          columns={[
            ['Credential', ([who]) => nameOf(who, keys)],
            ['Requests', ([, { requests }]) => requests.toLocaleString('en')],
            ['Errors', ([, { errors }]) => errors.toLocaleString('en')],
            ['Rate limited', ([, { rateLimited }]) => rateLimited.toLocaleString('en')],
            ['Busiest minute', ([, { peakPerMinute }]) => peakPerMinute.toLocaleString('en')],
            ['Limit per minute', ([who]) => limitOf(who, keys)],
            ['Last used', ([who]) => <Moment at={keys.find(({ id }) => who.endsWith(id))?.lastUsedAt} />],
          ]}
        />
        <h2>By operation</h2>
        <Table
          caption="By operation"
          items={byOperation.sort(([, a], [, b]) => b.requests - a.requests).slice(0, 20)}
          empty="No requests in this period."
          columns={[
            ['Operation', ([operation]) => operation],
            ['Requests', ([, { requests }]) => requests.toLocaleString('en')],
            ['Errors', ([, { errors }]) => errors.toLocaleString('en')],
          ]}
        />
        {organization && (
          <>
            <h2>Language model</h2>
            <Facts
              of={{
                'Calls in the last minute': `${(await visit.modelCallsUsed()) ?? 'unknown'} of ${organization.modelCallsPerMinute}`,
              }}
            />
          </>
        )}
      </>
    );
  },
};

type Keys = readonly { id: string; name: string; ratePerMinute: number }[];

const kinds = { 'api-key': 'Revoked API key', oauth: 'Application', session: 'Person on pages', workflow: 'Workflow' };

function nameOf(who: string, keys: Keys) {
  const [kind = '', id = ''] = who.split(' ');
  const key = keys.find((one) => one.id === id);
  return (
    key?.name ?? (
      <>
        {kinds[kind as keyof typeof kinds] ?? kind} <Id id={id} />
      </>
    )
  );
}

const limitOf = (who: string, keys: Keys): string => {
  const key = keys.find(({ id }) => who.endsWith(id));
  return key ? key.ratePerMinute.toLocaleString('en') : '–';
};
