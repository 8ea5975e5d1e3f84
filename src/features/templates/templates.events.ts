import { event } from '../../platform/events/event-type.js';
import { EmailTemplateSummary } from './template.dto.js';

const template = { subject: 'email_template', scope: 'templates:read' as const, data: EmailTemplateSummary };

export const templateCreated = event('email_template.created', {
  ...template,
  kind: 'opening',
  description: 'An email template was created as a draft.',
});
export const templateUpdated = event('email_template.updated', {
  ...template,
  description: 'An email template was renamed or has a new version, which is not published yet.',
});
export const templatePublished = event('email_template.published', {
  ...template,
  description: 'A version of an email template was published.',
});
export const templateRolledBack = event('email_template.rolled_back', {
  ...template,
  description: 'An earlier version of an email template was published again.',
});
export const templateArchived = event('email_template.archived', {
  ...template,
  description: 'An email template was archived.',
});
