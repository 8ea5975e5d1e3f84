import { event } from '../../platform/events/event-type.js';
import { EmailTemplateSummary } from './template.dto.js';

const template = { subject: 'email_template', scope: 'templates:read' as const, data: EmailTemplateSummary };

export const templateCreated = event('email_template.created', {
  ...template,
  tells: 'opening',
  says: 'An email template was made, as a draft.',
});
export const templateUpdated = event('email_template.updated', {
  ...template,
  says: 'An email template was changed: it got a new version, which is not published yet, or another name.',
});
export const templatePublished = event('email_template.published', {
  ...template,
  says: 'A version of an email template is sent from now on.',
});
export const templateRolledBack = event('email_template.rolled_back', {
  ...template,
  says: 'An earlier version of an email template is sent again.',
});
export const templateArchived = event('email_template.archived', {
  ...template,
  says: 'An email template is sent no more.',
});
