import type { ApprovedApplication } from '../../oauth/grants.repository.js';
import { Form } from '../../../platform/pages/form.js';
import type { SignedIn } from '../session.js';
import type { AuthenticationMethod } from '../../../tenancy/people/authentication.js';
import { Moment } from './account-page.js';

const methodNames: Record<AuthenticationMethod, string> = {
  password: 'password',
  totp: 'authenticator app',
  passkey: 'passkey',
  recovery_code: 'recovery code',
};

/** How the person had signed in when they approved an application. */
export const SignedInThen = ({ authenticatedAt: at, authenticatedWith: methods }: ApprovedApplication) => (
  <small>
    {methods ? `You signed in with ${methods.map((method) => methodNames[method]).join(' and ')}` : null}
    {methods && at && (
      <>
        , last confirmed <Moment at={at} />
      </>
    )}
    {!methods && 'How you signed in was not recorded then.'}
  </small>
);

interface ApprovedBeforeProps {
  signedIn: SignedIn;
  applications: readonly ApprovedApplication[];
}

/** What keeps working after the enrolment of a second factor, though it may have been approved with only a password. */
export const ApprovedBefore = ({ signedIn, applications }: ApprovedBeforeProps) =>
  applications.length > 0 ? (
    <section class="panel">
      <h2>Applications you approved before</h2>
      <p>
        They keep working. End those that you do not recognize: someone who had your password could have approved them.
        Save your recovery codes first, because these buttons leave this page.
      </p>
      <ul class="rows">
        {applications.map((application) => (
          <li key={application.id}>
            <strong>{application.clientName}</strong>
            <small>
              in {application.organization} · approved <Moment at={application.createdAt} />
            </small>
            <SignedInThen {...application} />
            <Form action="/account/applications/revoke" owner={signedIn}>
              <input type="hidden" name="application_id" value={application.id} />
              <button aria-label={`End ${application.clientName} in ${application.organization}`}>End</button>
            </Form>
          </li>
        ))}
      </ul>
      <Form action="/account/applications/revoke-all" owner={signedIn}>
        <input type="hidden" name="approved_before" value={latest(applications)} />
        <div class="actions one">
          <button>End all of them</button>
        </div>
      </Form>
    </section>
  ) : null;

/** What is approved or created while a page is open is not part of what the page lists. */
export const latest = (listed: readonly { createdAt: string }[]): string =>
  listed.reduce((last, { createdAt }) => (createdAt > last ? createdAt : last), '');
