import { AccountPage, Moment } from '../accounts/pages/account-page.js';
import { SignedInThen } from '../accounts/pages/approved-before.js';
import type { SignedIn } from '../accounts/session.js';
import { isPermission, permissions } from '../../platform/callers/permissions.js';
import { Form } from '../../platform/pages/form.js';
import { Done } from '../../platform/pages/messages.js';
import type { ApprovedApplication } from '../oauth/grants.repository.js';

const happened = {
  revoked: 'The approval was ended. The application no longer works there.',
  all: 'The approvals were ended. The applications no longer work there.',
} as const;
export type Happened = keyof typeof happened;

interface ApplicationsProps {
  signedIn: SignedIn;
  applications: readonly ApprovedApplication[];
  done?: Happened;
}

export const ApplicationsPage = ({ signedIn, applications, done }: ApplicationsProps) => (
  <AccountPage signedIn={signedIn} place="/account/applications">
    <h1>Connected applications</h1>
    <Done>{done && happened[done]}</Done>
    <section class="panel">
      <p class="soft">They act as you, with the permissions that you granted and that your role still has.</p>
      {applications.length === 0 && <p>No connected applications.</p>}
      <ul class="rows">
        {applications.map((application) => (
          <Application key={application.id} signedIn={signedIn} application={application} />
        ))}
      </ul>
    </section>
  </AccountPage>
);

const Application = ({ signedIn, application }: { signedIn: SignedIn; application: ApprovedApplication }) => (
  <li>
    <strong>{application.clientName}</strong>
    <small>
      {!application.verified && (
        <>
          <span class="mark">unverified</span>{' '}
        </>
      )}
      in {application.organization} · approved <Moment at={application.createdAt} />
    </small>
    <SignedInThen {...application} />
    <small>
      {application.lastUsedAt ? (
        <>
          Last used <Moment at={application.lastUsedAt} />
          {application.lastUsedFrom && ` from ${application.lastUsedFrom}`}
        </>
      ) : (
        'Never used'
      )}
    </small>
    <details>
      <summary>Permissions</summary>
      <ul class="permissions">
        {application.scopes.filter(isPermission).map((name) => (
          <li key={name} class={permissions[name].group}>
            {permissions[name].description}
          </li>
        ))}
      </ul>
    </details>
    <Form action="/account/applications/revoke" owner={signedIn}>
      <input type="hidden" name="application_id" value={application.id} />
      <button aria-label={`Revoke ${application.clientName} in ${application.organization}`}>Revoke</button>
    </Form>
  </li>
);
