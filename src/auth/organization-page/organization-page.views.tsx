import { Field, Form } from '../../platform/pages/form.js';
import { Done, Problem } from '../../platform/pages/messages.js';
import { pathWith } from '../../platform/pages/see-other.js';
import type { OwnedOrganization } from '../../tenancy/closing/closings.service.js';
import type { ExportView } from '../../tenancy/closing/organization-exports.js';
import { AccountPage, Moment } from '../accounts/pages/account-page.js';
import type { SignedIn } from '../accounts/session.js';

const happened = {
  export: 'The export was requested. Reload this page in a moment.',
  closed: 'The organization was closed.',
  reopened: 'The organization was reopened.',
} as const;

export type Happened = keyof typeof happened;

interface PageProps {
  signedIn: SignedIn;
  organization: OwnedOrganization;
  exports: readonly ExportView[];
  problem?: string;
  done?: Happened;
}

export const OrganizationPage = (props: PageProps) => (
  <AccountPage signedIn={props.signedIn} place="/account">
    <h1>{props.organization.name}</h1>
    <Problem>{props.problem}</Problem>
    <Done>{props.done && happened[props.done]}</Done>
    <Export {...props} />
    {props.organization.reopenableUntil ? (
      <Reopen {...props} until={props.organization.reopenableUntil} />
    ) : (
      <Close {...props} />
    )}
  </AccountPage>
);

const Organization = ({ id }: OwnedOrganization) => <input type="hidden" name="org" value={id} />;

const statuses = { waiting: 'Being written', done: 'Ready', failed: 'Failed. Request it again.' } as const;

const Export = ({ signedIn, organization, exports }: PageProps) => (
  <Form class="panel" action="/account/organization/export" owner={signedIn}>
    <h2>Export</h2>
    <p class="soft">
      Every record with its references and files, one JSON value per line, compressed. It contains the data of guests
      and the digits of access codes, and can be imported into another region or service. Exports are kept for seven
      days.
    </p>
    <Organization {...organization} />
    <ul class="rows">
      {exports.map(({ id, status, records, bytes, createdAt }) => (
        <li key={id}>
          <strong>{statuses[status]}</strong>
          <small>
            <Moment at={createdAt} />
            {records !== null && ` · ${records.toLocaleString('en')} records`}
            {bytes !== null && ` · ${Math.ceil(bytes / 1_000).toLocaleString('en')} kB`}
          </small>
          {status === 'done' && (
            <a href={pathWith('/account/organization/export', { org: organization.id, id })}>Download</a>
          )}
        </li>
      ))}
    </ul>
    <div class="actions one">
      <button>Request an export</button>
    </div>
  </Form>
);

const Close = ({ signedIn, organization }: PageProps) => (
  <Form class="panel" action="/account/organization/close" owner={signedIn}>
    <h2>Close the organization</h2>
    <p>
      API keys, connected applications and pages stop working for everyone immediately. You can reopen it here for 30
      days; then its data is erased permanently, except for the audit trail.
    </p>
    <Organization {...organization} />
    <Field
      name="name"
      label="Name of the organization"
      autocomplete="off"
      maxlength={200}
      hint={`Enter ${organization.name} to confirm.`}
    />
    <div class="actions one">
      <button class="danger">Close {organization.name}</button>
    </div>
  </Form>
);

const Reopen = ({ signedIn, organization, until }: PageProps & { until: string }) => (
  <Form class="panel" action="/account/organization/reopen" owner={signedIn}>
    <h2>Reopen the organization</h2>
    <p>
      It is closed. On <Moment at={until} /> its data is erased permanently, except for the audit trail. When you reopen
      it, API keys and connected applications work again.
    </p>
    <Organization {...organization} />
    <div class="actions one">
      <button class="primary">Reopen {organization.name}</button>
    </div>
  </Form>
);
