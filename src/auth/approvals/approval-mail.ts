import type { Mail } from '../../platform/mail/mail.service.js';

interface Line {
  summary: string;
  url: string;
  expiresAt: string;
}

/** Only what the service itself says: an assistant's words stay on the page, marked as its own. */
export const approvalsMail = (to: string, waiting: readonly Line[]): Mail => ({
  to,
  subject:
    waiting.length === 1
      ? 'A request is waiting for your approval'
      : `${waiting.length} requests are waiting for your approval`,
  text: `${waiting.length === 1 ? 'An application or API key requests your approval.' : 'Applications or API keys request your approval.'} Each page shows what would change. Nothing happens until someone approves.

${waiting.map(({ summary, url, expiresAt }) => `${summary}, until ${moment(expiresAt)}\n${url}`).join('\n\n')}

You receive at most one of these emails every five minutes.
`,
});

const moment = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
