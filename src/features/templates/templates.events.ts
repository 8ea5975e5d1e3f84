import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, setBackBy, undoneBy, type HowUndone } from '../../platform/events/undo.js';
import { EmailTemplateSummary } from './template.dto.js';

/** The version that was published before is published again. */
const publishedBefore: HowUndone = ({ before: { id, status, publishedVersion } }) =>
  status === 'published'
    ? { operation: 'publishEmailTemplate', input: { templateId: id, templateVersion: publishedVersion } }
    : cannotBeUndone('The template may have been sent. Archive it with archiveEmailTemplate.');

const template = { subject: 'email_template', scope: 'templates:read' as const, data: EmailTemplateSummary };

export const templateCreated = event('email_template.created', {
  ...template,
  kind: 'opening',
  description: 'An email template was created as a draft.',
  undo: undoneBy('archiveEmailTemplate', ({ id }) => ({ templateId: id })),
});
export const templateUpdated = event('email_template.updated', {
  ...template,
  description: 'An email template was renamed or has a new version, which is not published yet.',
  undo: (change) =>
    'latestVersion' in change.set
      ? cannotBeUndone('Versions are permanent. Write a new one with updateEmailTemplate.')
      : setBackBy('updateEmailTemplate', { templateId: 'id' })(change),
});
export const templatePublished = event('email_template.published', {
  ...template,
  description: 'A version of an email template was published.',
  undo: publishedBefore,
});
export const templateRolledBack = event('email_template.rolled_back', {
  ...template,
  description: 'An earlier version of an email template was published again.',
  undo: publishedBefore,
});
export const templateArchived = event('email_template.archived', {
  ...template,
  description: 'An email template was archived.',
  undo: cannotBeUndone('An archived template cannot be restored.'),
});
