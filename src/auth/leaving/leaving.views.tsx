import { Field, Form } from '../../platform/pages/form.js';
import { Problem } from '../../platform/pages/messages.js';
import type { Membership } from '../../tenancy/members/memberships.repository.js';
import { AccountPage } from '../accounts/pages/account-page.js';
import type { SignedIn } from '../accounts/session.js';

interface LeaveProps {
  signedIn: SignedIn;
  membership: Membership;
  problem?: string;
}

export const LeavePage = ({ signedIn, membership: { orgId, organization, role }, problem }: LeaveProps) => (
  <AccountPage signedIn={signedIn} place="/account">
    <Form class="panel" action="/account/leave" owner={signedIn}>
      <h1>Leave {organization}</h1>
      <Problem>{problem}</Problem>
      <p>
        You are its {role}. You lose access immediately; your connected applications there and the API keys that you
        created there stop working. To come back, you need a new invitation.
      </p>
      <input type="hidden" name="org" value={orgId} />
      <div class="actions">
        <a class="button" href="/account">
          Stay
        </a>
        <button class="danger">Leave {organization}</button>
      </div>
    </Form>
  </AccountPage>
);

interface DeleteProps {
  signedIn: SignedIn;
  memberships: readonly Membership[];
  problem?: string;
}

export const DeleteAccountPage = ({ signedIn, memberships, problem }: DeleteProps) => (
  <AccountPage signedIn={signedIn} place="/account">
    <Form class="panel" action="/account/delete" owner={signedIn}>
      <h1>Delete your account</h1>
      <Problem>{problem}</Problem>
      <p>
        This is permanent. Your password, second factors, sessions and sign-in history are erased, and your connected
        applications and the API keys that you created stop working.
      </p>
      {memberships.length > 0 && <p>You leave {memberships.map(({ organization }) => organization).join(', ')}.</p>}
      <p class="soft">
        Organizations that you were a member of keep your name in their tasks and in their audit trail, but not your
        address.
      </p>
      <Field
        name="email"
        label="Your email address"
        type="email"
        autocomplete="off"
        maxlength={254}
        hint={`Enter ${signedIn.email} to confirm.`}
      />
      <div class="actions">
        <a class="button" href="/account">
          Keep my account
        </a>
        <button class="danger">Delete my account</button>
      </div>
    </Form>
  </AccountPage>
);
