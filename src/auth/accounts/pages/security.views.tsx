import { Field } from '../../../platform/pages/form.js';
import { Done, Problem } from '../../../platform/pages/messages.js';
import { pathWith } from '../../../platform/pages/see-other.js';
import { longestPassword, shortestPassword } from '../../../tenancy/people/accounts.errors.js';
import type { PersonKey } from '../../api-keys/person-keys.service.js';
import type { EndedAccess } from '../access-endings.service.js';
import type { PasskeyView } from '../second-factors/passkeys.service.js';
import type { SignInView } from '../sign-in-history.service.js';
import type { SessionView, SignedIn } from '../session.js';
import { AccountPage, Moment } from './account-page.js';
import { AfterFactor } from './after-factor.js';
import { Ended } from './ended-access.js';
import { OwnKeys } from './own-keys.js';
import { History, Sessions } from './sign-ins.js';

const happened = {
  session: 'The session was ended.',
  key: 'The API key was revoked and no longer works.',
  keys: 'The API keys were revoked and no longer work.',
  added: 'The second factor was added.',
  removed: 'The second factor was removed.',
} as const;

export type Happened = keyof typeof happened;

export interface SecurityProps {
  signedIn: SignedIn;
  hasTotp: boolean;
  passkeys: readonly PasskeyView[];
  /** Recovery codes that were not used yet. */
  codesLeft: number;
  sessions: readonly SessionView[];
  /** The latest sign-ins and attempts. */
  history: readonly SignInView[];
  /** Working API keys that the person created. */
  keys: readonly PersonKey[];
  problem?: string;
  done?: Happened;
  /** What ended with the password that was just changed. */
  ended?: EndedAccess;
  /** Where to continue after a factor was added: back to the consent screen, say. */
  returnTo?: string;
  /** The page to continue at is closed without a factor, because its organization requires one. */
  isRequired?: boolean;
}

export const SecurityPage = (props: SecurityProps) => (
  <AccountPage signedIn={props.signedIn} place="/account/security">
    <h1>Security</h1>
    <Problem>{props.problem}</Problem>
    <Done>{props.done && happened[props.done]}</Done>
    {props.ended && (
      <div class="notice good" role="status">
        <p>Your password was changed.</p>
        <Ended {...props.ended} />
      </div>
    )}
    <WayBack {...props} />
    {props.ended && <OwnKeys {...props} />}
    <SecondFactors {...props} />
    <Password {...props} />
    {!props.ended && <OwnKeys {...props} />}
    <Sessions {...props} />
    <History {...props} />
  </AccountPage>
);

/** For those who were sent here to add a factor. */
const WayBack = ({ signedIn, returnTo, isRequired }: SecurityProps) => {
  if (!returnTo || returnTo === '/account/security' || signedIn.hasSecondFactor) return null;
  if (isRequired) return <p class="notice">The organization requires a second factor. Add one below to continue.</p>;
  return (
    <p class="notice">
      Add a second factor below to continue, or <a href={returnTo}>go back without adding one</a>.
    </p>
  );
};

const SecondFactors = ({ hasTotp, passkeys, codesLeft, returnTo = '/account/security', isRequired }: SecurityProps) => {
  const isEnrolled = hasTotp || passkeys.length > 0;
  const add = (path: string) => pathWith(path, { return_to: returnTo, ...(isRequired && { required: 'yes' }) });
  const remove = (factor: string) => pathWith('/account/security/remove', { factor });
  return (
    <section class="panel">
      <h2>Second factor</h2>
      <p class="soft">
        {isEnrolled
          ? 'Required after your password whenever you sign in.'
          : 'You do not have one yet. With a second factor, nobody can sign in with just your password.'}
      </p>
      <ul class="rows">
        {hasTotp && (
          <li>
            <strong>Authenticator app</strong>
            <a href={remove('totp')}>Remove the authenticator app</a>
          </li>
        )}
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <li key={id}>
            <strong>{name}</strong>
            <small>
              Added <Moment at={createdAt} /> ·{' '}
              {lastUsedAt ? (
                <>
                  used <Moment at={lastUsedAt} />
                </>
              ) : (
                'never used'
              )}
            </small>
            <a href={remove(id)}>Remove {name}</a>
          </li>
        ))}
        {isEnrolled && (
          <li>
            <strong>Recovery codes</strong>
            <small>{codesLeft} left</small>
            <a href="/account/security/recovery-codes">Create new recovery codes</a>
          </li>
        )}
      </ul>
      <div class="links">
        {!hasTotp && (
          <a class="button" href={add('/account/security/totp')}>
            Add an authenticator app
          </a>
        )}
        <a class="button" href={add('/account/security/passkeys')}>
          Add a passkey
        </a>
      </div>
    </section>
  );
};

const Password = ({ signedIn }: SecurityProps) => (
  <AfterFactor heading="Password" action="/account/security/password" place="/account/security" signedIn={signedIn}>
    <Field name="current_password" label="Current password" type="password" autocomplete="current-password" />
    <Field
      name="new_password"
      label="New password"
      type="password"
      autocomplete="new-password"
      minlength={shortestPassword}
      maxlength={longestPassword}
      hint={`At least ${shortestPassword} characters. This ends your other sessions, your connected applications and the API keys that they created. API keys that you created keep working.`}
    />
    <div class="actions one">
      <button>Change password</button>
    </div>
  </AfterFactor>
);
