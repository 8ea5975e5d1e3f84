import type { Membership } from '../../../tenancy/members/memberships.repository.js';
import { Field, Form } from '../../../platform/pages/form.js';
import { Done, Problem } from '../../../platform/pages/messages.js';
import type { SignedIn } from '../session.js';
import { AccountPage } from './account-page.js';

interface OverviewProps {
  signedIn: SignedIn;
  memberships: readonly Membership[];
  problem?: string;
  email?: string;
  isAsked?: boolean;
}

export const OverviewPage = ({ signedIn, memberships, problem, email, isAsked }: OverviewProps) => (
  <AccountPage signedIn={signedIn} place="/account">
    <section class="panel">
      <h1>{signedIn.name}</h1>
      <p class="soft">{signedIn.email}</p>
      <h2>Organizations</h2>
      {memberships.length === 0 && <p class="soft">You are not a member of any organization in this region.</p>}
      <ul class="rows">
        {memberships.map(({ orgId, organization, role, requireTwoFactor }) => (
          <li key={orgId}>
            <strong>{organization}</strong>
            <small>
              {role}
              {requireTwoFactor && ' · requires a second factor'}
            </small>
          </li>
        ))}
      </ul>
    </section>
    <Form class="panel" action="/account/email" owner={signedIn}>
      <h2>Change your sign-in address</h2>
      <Problem>{problem}</Problem>
      <Done>{isAsked && 'If the address can be used, we sent a link to it. Open the link to confirm.'}</Done>
      <Field name="email" label="New email address" type="email" autocomplete="email" value={email} maxlength={254} />
      <Field name="password" label="Your password" type="password" autocomplete="current-password" />
      <div class="actions one">
        <button>Send a link to the new address</button>
      </div>
    </Form>
  </AccountPage>
);
