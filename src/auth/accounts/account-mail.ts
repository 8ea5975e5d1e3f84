import type { Mail } from '../../platform/mail/mail.service.js';
import { quoted } from '../../platform/mail/quotation.js';
import type { EndedAccess, Named } from './access-endings.service.js';

/** The service's own letters: what happened, what to do, what to do if it was somebody else. */

export const resetMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Set a new password',
  text: `Someone, hopefully you, asked to set a new password for your account.

Set it here within one hour; the link works once:
${link}

If it was not you, do nothing: your password stays as it is.
`,
});

export const invitationMail = (to: string, organization: string, link: string): Mail => ({
  to,
  subject: 'Invitation to Property Operations',
  text: `You are invited to an organization on Property Operations. Its name:

${quoted(organization)}

Accept here within seven days; the link works once:
${link}

If you did not expect this, do nothing.
`,
});

export const confirmEmailMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Confirm your new address',
  text: `Someone, hopefully you, wants to sign in with this address from now on.

Confirm it here within 24 hours; the link works once:
${link}

If it was not you, do nothing: no account is changed.
`,
});

export const emailChangedMail = (to: string, newEmail: string): Mail => ({
  to,
  subject: 'Your sign-in address was changed',
  text: `From now on you sign in with ${newEmail}.

If this was not you, write to the owner of your organization at once.
`,
});

export const passwordChangedMail = (to: string, { applications, keys, keptKeys }: EndedAccess): Mail => ({
  to,
  subject: 'Your password was changed',
  text: `The password of your account was changed, and all other sessions were ended.
${applications.length > 0 ? `\nThese applications can no longer act for you. Connect again the ones that you use:\n${quotedNames(applications)}\n` : ''}${
    keys.length > 0 ? `\nThese API keys, which applications had created, are revoked:\n${quotedNames(keys)}\n` : ''
  }${
    keptKeys.length > 0
      ? `\nThese API keys, which you created, keep working. Revoke those that you do not know under "Security" in your account:\n${quotedNames(keptKeys)}\n`
      : ''
  }
If this was not you, set a new password at once: choose "Forgot your password?" on the sign-in page.
`,
});

export const secondFactorAddedMail = (to: string, approvedBefore: readonly Named[]): Mail => ({
  to,
  subject: 'A second factor was added to your account',
  text: `From now on, signing in to your account takes a second factor. All other sessions were ended.
${
  approvedBefore.length > 0
    ? `\nThese applications were approved before and keep working. End those that you do not know under "Applications" in your account:\n${quotedNames(approvedBefore)}\n`
    : ''
}
If this was not you, set a new password now: choose "Forgot your password?" on the sign-in page.
`,
});

/** What others chose to be called, as a quotation. */
const quotedNames = (named: readonly Named[]): string =>
  named.map(({ name, organization }) => quoted(`${name}, in ${organization}`)).join('\n');
