import type { Mail } from '../../platform/mail/mail.service.js';

export const accountDeletedMail = (to: string): Mail => ({
  to,
  subject: 'Your account was deleted',
  text: `Your account on Property Operations was deleted, with its sessions, second factors, connected applications and the
API keys that you created. You can use this address for a new account.

If this was not you, contact the owner of your organization immediately.
`,
});
