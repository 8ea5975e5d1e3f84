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
    waiting.length === 1 ? 'A request waits for your approval' : `${waiting.length} requests wait for your approval`,
  text: `${waiting.length === 1 ? 'An application or API key asks' : 'Applications or API keys ask'} for approval. Each page shows what would change; nothing happens until somebody approves.

${waiting.map(({ summary, url, expiresAt }) => `${summary}, until ${moment(expiresAt)}\n${url}`).join('\n\n')}

You get at most one such letter in five minutes.
`,
});

const moment = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
