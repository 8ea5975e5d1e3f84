import type { Mail } from '../../platform/mail/mail.service.js';
import { quoted } from '../../platform/mail/quotation.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

export const permissionsLostMail = (to: string, { id, url, missingScopes }: WebhookEndpoint): Mail => ({
  to,
  subject: 'A webhook endpoint no longer receives all of its events',
  text: `A webhook endpoint of your organization is bound to a member who lost permissions, or to a key or an
application of theirs that ended. Events that need these permissions are withheld:
${missingScopes.map((scope) => `- ${scope}`).join('\n')}

The endpoint is ${id}. Its address, as it was entered:
${quoted(url)}

Restore the permissions, or have someone who has them edit the endpoint (updateWebhookEndpoint). Then send the withheld
events again (replayWebhookDeliveries). If nobody needs the endpoint, delete it.
`,
});
