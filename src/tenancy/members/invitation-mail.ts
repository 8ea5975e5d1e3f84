import type { Mail } from '../../platform/mail/mail.service.js';
import { quoted } from '../../platform/mail/quotation.js';

export const invitationMail = (to: string, organization: string, link: string): Mail => ({
  to,
  subject: 'Invitation to Property Operations',
  text: `You are invited to an organization on Property Operations. Its name:

${quoted(organization)}

Accept here within seven days; the link works once:
${link}

If you did not expect this invitation, ignore this email.
`,
});
