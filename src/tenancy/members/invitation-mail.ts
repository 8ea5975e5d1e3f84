import type { Mail } from '../../platform/mail/mail.service.js';
import { quoted } from '../../platform/mail/quotation.js';

/** What somebody is invited to, in words that people of the organization chose. */
export interface Invitation {
  organization: string;
  role: string;
  /** Who invites, as the organization calls them. */
  inviter: string | null;
}

export const invitationMail = (to: string, { organization, role, inviter }: Invitation, link: string): Mail => ({
  to,
  subject: 'Invitation to Property Operations',
  text: `You are invited to an organization on Property Operations. Its name:

${quoted(organization)}

Your role:

${quoted(role)}
${inviter ? `\nInvited by:\n\n${quoted(inviter)}\n` : ''}
Accept here within seven days; the link works once:
${link}

If you did not expect this invitation, ignore this email.
`,
});
