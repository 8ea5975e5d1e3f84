import { Field, Form, ReturnTo } from '../../../platform/pages/form.js';
import type { FormOwner } from '../../../platform/pages/forms.service.js';
import { Done, Problem } from '../../../platform/pages/messages.js';
import { pathWith } from '../../../platform/pages/see-other.js';
import type { AskedApproval } from '../../oauth/asked-approval.js';
import type { EndedAccess } from '../access-endings.service.js';
import { PasskeyForm } from '../second-factors/passkey-form.js';
import { CodeField } from './confirmation.views.js';
import { Ended } from './ended-access.js';

export interface SignInProps {
  owner: FormOwner;
  returnTo: string;
  email?: string;
  isWrong?: boolean;
  done?: Happened;
  /** The application that leads here, and is connected afterwards. */
  application?: AskedApproval;
  /** Where one signs in. */
  place: string;
  /** What ended with the password before it. */
  ended?: EndedAccess;
  signedInAs?: string;
}

const happened = {
  password: 'Your password is set. Sign in with it.',
  deleted: 'Your account was deleted.',
} as const;

export type Happened = keyof typeof happened;

export const SignInPage = ({ owner, returnTo, email, isWrong, done, ended, signedInAs, ...context }: SignInProps) => (
  <Form class="panel" action="/sign-in" owner={owner}>
    <h1>Sign in</h1>
    <Problem>{isWrong && 'The email address or the password is incorrect.'}</Problem>
    <Done>{done && happened[done]}</Done>
    <Context {...context} />
    {ended && (
      <div class="notice good">
        <Ended {...ended} />
      </div>
    )}
    {signedInAs && (
      <p class="soft">
        You are signed in as <strong>{signedInAs}</strong>: <a href={returnTo}>continue</a>, or sign in as someone else.
      </p>
    )}
    <ReturnTo path={returnTo} />
    <Field name="email" label="Email address" type="email" autocomplete="username" value={email} maxlength={254} />
    <Field name="password" label="Password" type="password" autocomplete="current-password" />
    <div class="actions one">
      <button class="primary">Sign in</button>
    </div>
    <p class="soft below">
      <a href="/forgot-password">Forgot your password?</a>
    </p>
  </Form>
);

/**
 * Names the purpose, if another application asks, and always the service: people may have accounts in several places.
 */
const Context = ({ application, place }: Pick<SignInProps, 'application' | 'place'>) => (
  <p class="soft">
    {application && (
      <>
        <strong>{application.clientName}</strong>
        {!application.verified && ' (unverified)'}, which receives the response at{' '}
        <strong>{new URL(application.redirectUri).host}</strong>, requests access to your organization. You decide after
        you sign in.{' '}
      </>
    )}
    You sign in at {place}.
  </p>
);

interface CodeProps {
  owner: FormOwner;
  returnTo: string;
  problem?: string;
  /** What the browser is asked for, where the person has a passkey. */
  passkeyOptions?: string;
}

export const CodePage = ({ owner, returnTo, problem, passkeyOptions }: CodeProps) => (
  <section class="panel">
    <h1>Second factor</h1>
    <Problem>{problem}</Problem>
    {passkeyOptions && (
      <PasskeyForm
        action={pathWith('/sign-in/passkey', { return_to: returnTo })}
        owner={owner}
        kind="get"
        options={passkeyOptions}
        button="Use a passkey"
      />
    )}
    <Form action={pathWith('/sign-in/code', { return_to: returnTo })} owner={owner}>
      <CodeField />
      <div class="actions one">
        <button class={passkeyOptions ? undefined : 'primary'}>Continue{passkeyOptions && ' with a code'}</button>
      </div>
    </Form>
    <p class="soft below">
      <a href="/sign-in">Sign in as someone else</a>
    </p>
  </section>
);
