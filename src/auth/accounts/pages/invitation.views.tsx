import { Fragment } from 'preact';
import { Field, Form } from '../../../platform/pages/form.js';
import { Problem } from '../../../platform/pages/messages.js';
import type { Invited } from '../../../tenancy/members/invitations.service.js';
import { longestName, onlyOperatorsCreateAccounts } from '../../../tenancy/people/accounts.errors.js';
import { type LinkProps, NewPassword } from './mailed-links.views.js';

export const InvitationPage = ({ owner, token, email, to, isNew, needsOperator, problem }: LinkProps & Invited) => (
  <Form class="panel" action="/accept-invitation" owner={owner}>
    <h1>{to.length === 1 ? `Join ${to[0]?.organization}` : 'Accept your invitations'}</h1>
    <dl class="facts">
      {to.map(({ organization, role, inviter, slug }) => (
        <Fragment key={slug}>
          <dt>Organization</dt>
          <dd>{organization}</dd>
          <dt>Role</dt>
          <dd>{role}</dd>
          {inviter && (
            <>
              <dt>Invited by</dt>
              <dd>{inviter}</dd>
            </>
          )}
        </Fragment>
      ))}
    </dl>
    <p class="soft">
      {isNew ? 'Create an account for ' : 'It was sent to your account '}
      <strong>{email}</strong>.
    </p>
    <Problem>{problem ?? (needsOperator ? onlyOperatorsCreateAccounts().message : undefined)}</Problem>
    <input type="hidden" name="token" value={token} />
    {isNew && (
      <>
        <Field name="name" label="Your name" autocomplete="name" maxlength={longestName} />
        <NewPassword />
      </>
    )}
    <div class="actions one">
      <button class="primary">{isNew ? 'Create account and join' : 'Accept'}</button>
    </div>
  </Form>
);
