import { Field, Form } from '../../../platform/pages/form.js';
import type { FormOwner } from '../../../platform/pages/forms.service.js';
import { Done, Problem } from '../../../platform/pages/messages.js';
import { longestPassword, shortestPassword } from '../../../tenancy/people/accounts.errors.js';

export interface LinkProps {
  owner: FormOwner;
  token: string;
  problem?: string;
}

export const NewPassword = () => (
  <Field
    name="new_password"
    label="New password"
    type="password"
    autocomplete="new-password"
    minlength={shortestPassword}
    maxlength={longestPassword}
    hint={`At least ${shortestPassword} characters.`}
  />
);

export const ForgotPage = ({ owner, isAsked }: { owner: FormOwner; isAsked?: boolean }) => (
  <Form class="panel" action="/forgot-password" owner={owner}>
    <h1>Forgot password</h1>
    <Done>{isAsked && 'If there is an account with this address, we sent a link to it. It works for one hour.'}</Done>
    <p class="soft">We send you a link to set a new password.</p>
    <Field name="email" label="Email address" type="email" autocomplete="username" maxlength={254} />
    <div class="actions one">
      <button class="primary">Send a link</button>
    </div>
    <p class="soft below">
      <a href="/sign-in">Back to sign in</a>
    </p>
  </Form>
);

export const ResetPage = ({ owner, token, problem }: LinkProps) => (
  <Form class="panel" action="/reset-password" owner={owner}>
    <h1>Set a new password</h1>
    <p class="soft">This ends all your sessions and connected applications. Then sign in with the new password.</p>
    <Problem>{problem}</Problem>
    <input type="hidden" name="token" value={token} />
    <NewPassword />
    <div class="actions one">
      <button class="primary">Set password</button>
    </div>
  </Form>
);

export const ConfirmEmailPage = ({ owner, token, email }: LinkProps & { email: string }) => (
  <Form class="panel" action="/confirm-email" owner={owner}>
    <h1>Confirm your address</h1>
    <p>
      Confirm to sign in with <strong>{email}</strong> from now on.
    </p>
    <input type="hidden" name="token" value={token} />
    <div class="actions one">
      <button class="primary">Confirm</button>
    </div>
  </Form>
);
