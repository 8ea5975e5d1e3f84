import type { Mail } from '../../platform/mail/mail.service.js';
import { quoted } from '../../platform/mail/quotation.js';
import type { EndedAccess, Named } from './access-endings.service.js';

/** The service's own letters. Each says what happened, what to do next, and what to do if somebody else did it. */

export const resetMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Set a new password',
  text: `Someone, hopefully you, asked to set a new password for your account.

Set it here within one hour; the link works once:
${link}

If this was not you, do nothing: your password does not change.
`,
});

export const confirmEmailMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Confirm your new address',
  text: `Someone, hopefully you, wants to sign in with this address.

Confirm it here within 24 hours; the link works once:
${link}

If this was not you, do nothing: no account changes.
`,
});

export const emailChangedMail = (to: string, newEmail: string): Mail => ({
  to,
  subject: 'Your sign-in address was changed',
  text: `From now on you sign in with ${newEmail}.

If this was not you, contact the owner of your organization immediately.
`,
});

export const passwordChangedMail = (to: string, { applications, keys, keptKeys }: EndedAccess): Mail => ({
  to,
  subject: 'Your password was changed',
  text: `The password of your account was changed, and all other sessions were ended.
${applications.length > 0 ? `\nThese applications can no longer act for you. Connect the ones that you use again:\n${quotedNames(applications)}\n` : ''}${
    keys.length > 0 ? `\nThese API keys, which applications had created, are revoked:\n${quotedNames(keys)}\n` : ''
  }${
    keptKeys.length > 0
      ? `\nThese API keys, which you created, keep working. Revoke those that you do not recognize under "Security" in your account:\n${quotedNames(keptKeys)}\n`
      : ''
  }
If this was not you, set a new password immediately: choose "Forgot your password?" on the sign-in page.
`,
});

export const secondFactorAddedMail = (to: string, approvedBefore: readonly Named[]): Mail => ({
  to,
  subject: 'A second factor was added to your account',
  text: `Signing in to your account now requires a second factor. All other sessions were ended.
${
  approvedBefore.length > 0
    ? `\nThese applications were approved before and keep working. End those that you do not recognize under "Applications" in your account:\n${quotedNames(approvedBefore)}\n`
    : ''
}
If this was not you, set a new password immediately: choose "Forgot your password?" on the sign-in page.
`,
});

/** Quotes text that other people chose, such as a name. */
const quotedNames = (named: readonly Named[]): string =>
  named.map(({ name, organization }) => quoted(`${name}, in ${organization}`)).join('\n');
