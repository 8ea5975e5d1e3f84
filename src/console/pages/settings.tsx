import { pathWith } from '../../platform/pages/see-other.js';
import { getOrganization, updateOrganization } from '../../tenancy/organizations/organizations.operations.js';
import type { QuotaUse } from '../../tenancy/quotas/quota.dto.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Facts, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { sizeOf } from '../parts/size.js';
import { humanized, Id } from '../parts/words.js';

export const settings: ConsolePage = {
  path: 'settings',
  title: 'Settings',
  needs: 'organization:read',
  forms: [form(updateOrganization, 'The settings were saved.', { isSensitive: true })],
  async show({ ask, may, membership: { orgId, role } }) {
    const one = await ask(getOrganization, {});
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              Name: one.name,
              'Short name in addresses': one.slug,
              Region: one.region,
              Since: <Moment at={one.createdAt} />,
              Id: <Id id={one.id} />,
              ...(may('organization:manage')
                ? {}
                : { 'Time zone': one.timezone, Currency: one.currency, Languages: one.locales.join(', ') }),
            }}
          />
        </section>
        {may('organization:manage') && (
          <section class="panel">
            <Act does={updateOrganization} label="Save" isPrimary>
              <Entry name="name" value={one.name} />
              <Entry
                name="timezone"
                label="Time zone"
                value={one.timezone}
                hint="For the console and new properties."
              />
              <Entry name="currency" value={one.currency} hint="ISO 4217, such as EUR." />
              <Entry name="locales" label="Languages" value={one.locales.join(', ')} hint="The main one first." />
              <Entry
                name="requireTwoFactor"
                label="Require a second factor"
                value={one.requireTwoFactor}
                hint="People without one must add one before they continue."
              />
              <Entry
                name="remoteControlEnabled"
                label="Allow remote control of locks and thermostats"
                value={one.remoteControlEnabled}
              />
              <Entry
                name="selfRegisteredApplications"
                label="Self-registered applications"
                value={one.selfRegisteredApplications}
                hint="If you forbid them, connected ones are revoked."
              />
              <Entry
                name="allowedClientIds"
                label="Applications that are always allowed"
                value={one.allowedClientIds.join(' ')}
                hint="Client ids, separated by spaces."
              />
              <Entry
                name="maxKeyDays"
                label="Longest lifetime of API keys (days)"
                value={one.maxKeyDays}
                hint="Leave empty for no limit."
              />
            </Act>
          </section>
        )}
        {role === 'owner' && (
          <section class="panel">
            <h2>Export or close</h2>
            <p>
              Owners export and close the organization on{' '}
              <a href={pathWith('/account/organization', { org: orgId })}>a page of their account</a>. A closed
              organization can be reopened there for 30 days.
            </p>
          </section>
        )}
        <h2>Quotas</h2>
        <Table
          caption="Quotas"
          items={Object.entries<QuotaUse>({ ...one.quotas })}
          columns={[
            ['What', ([name]) => humanized(name)],
            ['Used', ([name, { used }]) => amountOf(name, used)],
            ['Limit', ([name, { limit }]) => amountOf(name, limit)],
          ]}
        />
      </>
    );
  },
};

const amountOf = (quota: string, amount: number): string =>
  quota.endsWith('Bytes') ? sizeOf(amount) : amount.toLocaleString('en');
