import { Field, Form, ReturnTo } from '../../../platform/pages/form.js';
import { Problem } from '../../../platform/pages/messages.js';
import { PasskeyForm } from '../second-factors/passkey-form.js';
import type { SignedIn } from '../session.js';

interface ConfirmationProps {
  signedIn: SignedIn;
  returnTo: string;
  /** The password is not enough for what comes next. */
  needsFactor: boolean;
  /** What the browser is asked for, where the person has a passkey. */
  passkeyOptions?: string;
  problem?: string;
}

export const ConfirmationPage = ({ signedIn, returnTo, needsFactor, passkeyOptions, problem }: ConfirmationProps) => {
  const back = (
    <>
      <ReturnTo path={returnTo} />
      {needsFactor && <input type="hidden" name="with" value="factor" />}
    </>
  );
  return (
    <section class="panel">
      <h1>Confirm that it is you</h1>
      <p class="soft">
        You are signed in as {signedIn.email}. This action needs your{' '}
        {needsFactor ? 'second factor' : signedIn.hasSecondFactor ? 'password or second factor' : 'password'}, used
        within the last ten minutes.
      </p>
      <Problem>{problem}</Problem>
      {passkeyOptions && (
        <PasskeyForm
          action="/account/confirm-passkey"
          owner={signedIn}
          kind="get"
          options={passkeyOptions}
          button="Use a passkey"
        >
          {back}
        </PasskeyForm>
      )}
      {!needsFactor && (
        <Form action="/account/confirm-password" owner={signedIn}>
          {back}
          <Field name="password" label="Password" type="password" autocomplete="current-password" />
          <div class="actions one">
            <button class={passkeyOptions ? undefined : 'primary'}>
              Continue{passkeyOptions && ' with the password'}
            </button>
          </div>
        </Form>
      )}
      {signedIn.hasSecondFactor && (
        <Form action="/account/confirm-code" owner={signedIn}>
          {back}
          <CodeField />
          <div class="actions one">
            <button class={needsFactor && !passkeyOptions ? 'primary' : undefined}>Continue with a code</button>
          </div>
        </Form>
      )}
      <p class="soft below">
        <a href="/account">Back to your account</a>
      </p>
    </section>
  );
};

/** For an authenticator's code, or a recovery code in its place. */
export const CodeField = () => (
  <Field
    name="code"
    label="Code"
    autocomplete="one-time-code"
    maxlength={40}
    hint="The six digits in your authenticator app, or one of your recovery codes."
  />
);
