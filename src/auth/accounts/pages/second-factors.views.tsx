import type { ApprovedApplication } from '../../oauth/grants.repository.js';
import { Field, Form, ReturnTo } from '../../../platform/pages/form.js';
import { Problem } from '../../../platform/pages/messages.js';
import { PasskeyForm } from '../second-factors/passkey-form.js';
import type { TotpDraft } from '../second-factors/totp.service.js';
import { enrollmentPath, type SignedIn } from '../session.js';
import { AccountPage } from './account-page.js';
import { ApprovedBefore } from './approved-before.js';
import { CodeField } from './confirmation.views.js';

interface FactorProps {
  signedIn: SignedIn;
  returnTo: string;
  problem?: string;
}

export const AddTotpPage = ({ signedIn, draft, returnTo, problem }: FactorProps & { draft: TotpDraft }) => (
  <AccountPage signedIn={signedIn} place="/account/security">
    <Form class="panel" action="/account/security/totp" owner={signedIn}>
      <h1>Add an authenticator app</h1>
      <Problem>{problem}</Problem>
      <p>Scan the QR code with the app, or enter the secret.</p>
      <p>
        <img class="qr" src={draft.qrCode} width="220" height="220" alt="QR code with the secret below" />
      </p>
      <dl class="facts">
        <dt>Secret</dt>
        <dd>
          <code id="secret">{draft.secret}</code>
        </dd>
      </dl>
      <ReturnTo path={returnTo} />
      <Field
        name="code"
        label="Code"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength={7}
        hint="The six digits in the app."
      />
      <div class="actions one">
        <button class="primary">Continue</button>
      </div>
    </Form>
  </AccountPage>
);

interface PasskeyProps extends FactorProps {
  options: string;
  /** What the person called it before it was refused. */
  name?: string;
  isRequired: boolean;
}

export const AddPasskeyPage = ({
  signedIn,
  options,
  returnTo,
  problem,
  name = 'Passkey',
  isRequired,
}: PasskeyProps) => (
  <AccountPage signedIn={signedIn} place="/account/security">
    <section class="panel">
      <h1>Add a passkey</h1>
      <p class="soft">A passkey is stored on this device, on your phone, in a password manager or on a security key.</p>
      <noscript>
        <p class="notice">Passkeys need JavaScript. Without it, add an authenticator app.</p>
      </noscript>
      <Problem>{problem}</Problem>
      <PasskeyForm
        action="/account/security/passkeys"
        owner={signedIn}
        kind="create"
        options={options}
        button="Add a passkey"
      >
        <ReturnTo path={returnTo} />
        {isRequired && <input type="hidden" name="required" value="yes" />}
        <Field name="name" label="Name" maxlength={60} value={name} hint="A name to recognize it by." />
      </PasskeyForm>
      <p class="soft below">
        <a href={enrollmentPath(returnTo, isRequired)}>Back to security</a>
      </p>
    </section>
  </AccountPage>
);

interface RecoveryCodesProps {
  signedIn: SignedIn;
  codes: readonly string[];
  returnTo: string;
  /** With the first factor: what was approved without it. */
  approvedBefore?: readonly ApprovedApplication[];
}

export const RecoveryCodesPage = ({ signedIn, codes, returnTo, approvedBefore = [] }: RecoveryCodesProps) => (
  <AccountPage signedIn={signedIn} place="/account/security">
    <section class="panel">
      <h1>Your recovery codes</h1>
      <p>Keep them in a safe place. Each one lets you sign in once if you lose your second factor.</p>
      <p class="notice">They are shown only once and replace all earlier ones.</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="links">
        <a class="button primary" href={returnTo}>
          I have saved them
        </a>
      </div>
    </section>
    <ApprovedBefore signedIn={signedIn} applications={approvedBefore} />
  </AccountPage>
);

interface ProtectedProps {
  signedIn: SignedIn;
  problem?: string;
}

interface RemoveFactorProps extends ProtectedProps {
  factor: string;
  name: string;
  /** What the browser is asked for, where the person has a passkey. */
  passkeyOptions?: string;
}

/** Removing always requires a factor. */
export const RemoveFactorPage = ({ signedIn, factor, name, passkeyOptions, problem }: RemoveFactorProps) => (
  <AccountPage signedIn={signedIn} place="/account/security">
    <section class="panel">
      <h1>Remove {name}</h1>
      <p class="soft">Organizations that require a second factor let you in only while you have one.</p>
      <Problem>{problem}</Problem>
      {passkeyOptions && (
        <PasskeyForm
          action="/account/security/remove"
          owner={signedIn}
          kind="get"
          options={passkeyOptions}
          button="Remove with a passkey"
        >
          <input type="hidden" name="factor" value={factor} />
        </PasskeyForm>
      )}
      <Form action="/account/security/remove" owner={signedIn}>
        <input type="hidden" name="factor" value={factor} />
        <CodeField />
        <div class="actions">
          <a class="button" href="/account/security">
            Keep it
          </a>
          <button class="primary">Remove</button>
        </div>
      </Form>
    </section>
  </AccountPage>
);

export const RenewCodesPage = ({ signedIn, problem }: ProtectedProps) => (
  <AccountPage signedIn={signedIn} place="/account/security">
    <Form class="panel" action="/account/security/recovery-codes" owner={signedIn}>
      <h1>Create new recovery codes</h1>
      <p class="soft">The current ones stop working.</p>
      <Problem>{problem}</Problem>
      <Field name="password" label="Your password" type="password" autocomplete="current-password" />
      <div class="actions one">
        <button class="primary">Create new codes</button>
      </div>
    </Form>
  </AccountPage>
);
