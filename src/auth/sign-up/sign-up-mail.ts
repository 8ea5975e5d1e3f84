import type { Mail } from '../../platform/mail/mail.service.js';

/** Without the name that was typed: anybody can type a text there, for anybody to receive. */
export const signUpMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Create your organization',
  text: `Someone, hopefully you, asked to create an account and an organization on Property Operations with this address.

Continue here within 24 hours:
${link}

If this was not you, do nothing: no account is created.
`,
});
