import type { Membership } from '../../../tenancy/members/memberships.repository.js';
import type { OwnedOrganization } from '../../../tenancy/closing/closings.service.js';
import { Field, Form } from '../../../platform/pages/form.js';
import { Done, Problem } from '../../../platform/pages/messages.js';
import { pathWith } from '../../../platform/pages/see-other.js';
import { longestName } from '../../../tenancy/people/accounts.errors.js';
import { anotherOrganizationPath, consolePath } from '../console-path.js';
import type { SignedIn } from '../session.js';
import { AccountPage, Moment } from './account-page.js';
import { AfterFactor } from './after-factor.js';

interface OverviewProps {
  signedIn: SignedIn;
  memberships: readonly Membership[];
  /** Those that the person owns, closed ones too. */
  owned: readonly OwnedOrganization[];
  /** Whether anybody may create organizations. */
  isOpen: boolean;
  problem?: string;
  email?: string;
  nameProblem?: string;
  name?: string;
  done?: Happened;
}

const happened = {
  name: 'Your name was changed.',
  left: 'You left the organization.',
  'email-asked': 'If the address can be used, we sent a link to it. Open the link to confirm.',
} as const;

export type Happened = keyof typeof happened;

export const OverviewPage = (props: OverviewProps) => (
  <AccountPage signedIn={props.signedIn} place="/account">
    <Done>{props.done && happened[props.done]}</Done>
    <Organizations {...props} />
    <Name {...props} />
    <Address {...props} />
    <section class="panel">
      <h2>Delete your account</h2>
      <p class="soft">Erases your account and ends everything that acts for you.</p>
      <div class="links">
        <a class="button" href="/account/delete">
          Delete your account
        </a>
      </div>
    </section>
  </AccountPage>
);

const Organizations = ({ signedIn, memberships, owned, isOpen }: OverviewProps) => (
  <section class="panel">
    <h1>{signedIn.name}</h1>
    <p class="soft">{signedIn.email}</p>
    <h2>Organizations</h2>
    {memberships.length === 0 && <p class="soft">You are not a member of any organization in this region.</p>}
    <ul class="rows">
      {memberships.map(({ orgId, organization, slug, role, requireTwoFactor }) => (
        <li key={orgId}>
          <a href={consolePath(slug)}>
            <strong>{organization}</strong>
          </a>
          <small>
            {role}
            {requireTwoFactor && ' · requires a second factor'}
          </small>
          <a href={pathWith('/account/leave', { org: orgId })}>Leave {organization}</a>
          {owned.some(({ id }) => id === orgId) && (
            <a href={pathWith('/account/organization', { org: orgId })}>Export or close {organization}</a>
          )}
        </li>
      ))}
      {owned
        .filter(({ reopenableUntil }) => reopenableUntil)
        .map(({ id, name, reopenableUntil }) => (
          <li key={id}>
            <strong>{name}</strong>
            <small>
              Closed. It can be reopened until <Moment at={reopenableUntil as string} />.
            </small>
            <a href={pathWith('/account/organization', { org: id })}>Reopen or export {name}</a>
          </li>
        ))}
    </ul>
    {isOpen && (
      <p class="below">
        <a href={anotherOrganizationPath}>Create another organization</a>
      </p>
    )}
  </section>
);

const Name = ({ signedIn, name, nameProblem }: OverviewProps) => (
  <Form class="panel" action="/account/name" owner={signedIn}>
    <h2>Your name</h2>
    <Problem>{nameProblem}</Problem>
    <Field
      name="name"
      label="Name"
      autocomplete="name"
      value={name ?? signedIn.name}
      maxlength={longestName}
      hint="Your organizations show this name, unless they have set another name for you."
    />
    <div class="actions one">
      <button>Change name</button>
    </div>
  </Form>
);

const Address = ({ signedIn, problem, email }: OverviewProps) => (
  <AfterFactor heading="Change your sign-in address" action="/account/email" place="/account" signedIn={signedIn}>
    <Problem>{problem}</Problem>
    <Field name="email" label="New email address" type="email" autocomplete="email" value={email} maxlength={254} />
    <Field name="password" label="Your password" type="password" autocomplete="current-password" />
    <div class="actions one">
      <button>Send a link to the new address</button>
    </div>
  </AfterFactor>
);
