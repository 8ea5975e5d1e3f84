import { getOrganization, updateOrganization } from '../../tenancy/organizations/organizations.operations.js';
import type { QuotaUse } from '../../tenancy/quotas/quota.dto.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Facts, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, Id } from '../parts/words.js';

export const settings: ConsolePage = {
  path: 'settings',
  title: 'Settings',
  needs: 'organization:read',
  forms: [form(updateOrganization, 'The settings are changed.', { isSensitive: true })],
  async show({ ask, may }) {
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
                hint="Of the console and of new properties."
              />
              <Entry name="currency" value={one.currency} hint="ISO 4217, such as EUR." />
              <Entry name="locales" label="Languages" value={one.locales.join(', ')} hint="The main one first." />
              <Entry
                name="requireTwoFactor"
                label="People need a second factor"
                value={one.requireTwoFactor}
                hint="Who has none is led to add one before anything else."
              />
              <Entry
                name="remoteControlEnabled"
                label="Doors and thermostats may be controlled"
                value={one.remoteControlEnabled}
              />
              <Entry
                name="selfRegisteredApplications"
                label="Applications that registered themselves"
                value={one.selfRegisteredApplications}
                hint="Forbidden: the connected ones are revoked."
              />
              <Entry
                name="allowedClientIds"
                label="Applications allowed in any case"
                value={one.allowedClientIds.join(' ')}
                hint="Client ids, separated by spaces."
              />
              <Entry
                name="maxKeyDays"
                label="API keys live at most (days)"
                value={one.maxKeyDays}
                hint="Empty: as long as they are wanted."
              />
            </Act>
          </section>
        )}
        <h2>Quotas</h2>
        <Table
          caption="Quotas"
          items={Object.entries<QuotaUse>({ ...one.quotas })}
          columns={[
            ['What', ([name]) => humanized(name)],
            ['Used', ([, { used }]) => used.toLocaleString('en')],
            ['Limit', ([, { limit }]) => limit.toLocaleString('en')],
          ]}
        />
      </>
    );
  },
};
