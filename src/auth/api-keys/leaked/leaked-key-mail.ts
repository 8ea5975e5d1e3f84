import type { Mail } from '../../../platform/mail/mail.service.js';
import { quoted } from '../../../platform/mail/quotation.js';
import type { ApiKey } from '../api-key.entity.js';

export const leakedKeyMail = (to: string, { id, name, prefix }: ApiKey): Mail => ({
  to,
  subject: 'A leaked API key was revoked',
  text: `An API key of your organization was reported as leaked. It was revoked and no longer works.

The key is ${id} and begins with ${prefix}. Its name:
${quoted(name)}

The report contained the whole key, so others may have used it. Check in the audit trail what was done with it, such as
the API keys it created, and revoke those too. Then create a new key for the program that used it.
`,
});
