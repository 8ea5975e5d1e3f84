import { Field, Form } from '../../platform/pages/form.js';
import type { FormOwner } from '../../platform/pages/forms.service.js';
import { Done, Problem } from '../../platform/pages/messages.js';
import { pathWith } from '../../platform/pages/see-other.js';
import { longestName, longestPassword, shortestPassword } from '../../tenancy/people/accounts.errors.js';
import { anotherOrganizationPath } from '../accounts/console-path.js';

interface SignUpProps {
  owner: FormOwner;
  name?: string;
  email?: string;
  problem?: string;
  isSent?: boolean;
}

export const SignUpPage = ({ owner, name, email, problem, isSent }: SignUpProps) => (
  <Form class="panel" action="/sign-up" owner={owner}>
    <h1>Create an organization</h1>
    <Problem>{problem}</Problem>
    <Done>{isSent && `We sent a link to ${email}. Open it within 24 hours to continue.`}</Done>
    <p class="soft">We send you a link to confirm your address. You choose a password there.</p>
    <Field name="name" label="Your name" autocomplete="name" value={name} maxlength={longestName} />
    <Field name="email" label="Email address" type="email" autocomplete="email" value={email} maxlength={254} />
    <div class="actions one">
      <button class="primary">{isSent ? 'Send the link again' : 'Send a link'}</button>
    </div>
    <p class="soft below">
      Do you have an account? <a href="/sign-in">Sign in</a>
    </p>
  </Form>
);

interface ConfirmProps {
  owner: FormOwner;
  token: string;
  name: string;
  email: string;
  organizationName?: string;
  problem?: string;
}

export const ConfirmSignUpPage = ({ owner, token, name, email, organizationName, problem }: ConfirmProps) => (
  <Form class="panel" action="/sign-up/confirm" owner={owner}>
    <h1>Welcome, {name}</h1>
    <p class="soft">
      You will sign in as <strong>{email}</strong> and own the organization.
    </p>
    <Problem>{problem}</Problem>
    <input type="hidden" name="token" value={token} />
    {/* For password managers: the name that belongs to the password. */}
    <input type="hidden" name="username" autocomplete="username" value={email} />
    <OrganizationName value={organizationName} />
    <Field
      name="password"
      label="Password"
      type="password"
      autocomplete="new-password"
      minlength={shortestPassword}
      maxlength={longestPassword}
      hint={`At least ${shortestPassword} characters.`}
    />
    <div class="actions one">
      <button class="primary">Create organization</button>
    </div>
  </Form>
);

const OrganizationName = ({ value }: { value?: string }) => (
  <Field
    name="organizationName"
    label="Name of the organization"
    autocomplete="organization"
    value={value}
    maxlength={200}
    hint="The company or property that you manage. You can change it later."
  />
);

interface AnotherProps {
  owner: FormOwner;
  organizationName?: string;
  problem?: string;
}

export const AnotherOrganizationPage = ({ owner, organizationName, problem }: AnotherProps) => (
  <Form class="panel" action={anotherOrganizationPath} owner={owner}>
    <h1>Create another organization</h1>
    <Problem>{problem}</Problem>
    <p class="soft">You will own it. It shares nothing with your other organizations.</p>
    <OrganizationName value={organizationName} />
    <div class="actions one">
      <button class="primary">Create organization</button>
    </div>
    <p class="soft below">
      <a href="/account">Back to your account</a>
    </p>
  </Form>
);

export const HasAccountPage = ({ email }: { email: string }) => (
  <section class="panel">
    <h1>You have an account</h1>
    <p>
      <strong>{email}</strong> already has an account. Sign in to create the organization with it.
    </p>
    <div class="links">
      <a class="button primary" href={pathWith('/sign-in', { return_to: anotherOrganizationPath })}>
        Sign in
      </a>
      <a class="button" href="/forgot-password">
        Set a new password
      </a>
    </div>
  </section>
);
