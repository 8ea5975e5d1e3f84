import { one, type Operation, operation, page } from '#operations';
import { MessageView } from '../../outside/messages/message.dto.js';
import {
  DiffEmailTemplate,
  RenderedEmail,
  RenderEmailTemplate,
  SendTestEmail,
  TemplateDiffView,
} from './template-preview.dto.js';
import {
  GetEmailTemplate,
  ListEmailTemplates,
  PublishEmailTemplate,
  RollBackEmailTemplate,
  SaveEmailTemplate,
  ThisEmailTemplate,
  UpdateEmailTemplate,
} from './template-changes.dto.js';
import { EmailTemplateSummary, EmailTemplateView } from './template.dto.js';
import {
  nothingToRollBackTo,
  templateDoesNotRender,
  templateHasErrors,
  templateIsArchived,
  templateIsNotPublished,
} from './templates.errors.js';
import { quotaExceeded } from '../../tenancy/quotas/quotas.errors.js';

export const saveEmailTemplate = operation({
  name: 'saveEmailTemplate',
  route: 'POST /email-templates',
  scope: 'templates:write',
  effect: 'write',
  reach: 'organization',
  title: 'Save an email template',
  description: 'Saves the given content as the draft of a new template, without a model.',
  askedAs: 'create a mail from given text',
  refuses: [quotaExceeded],
  input: SaveEmailTemplate,
  output: one(EmailTemplateView),
  status: 201,
});

export const listEmailTemplates = operation({
  name: 'listEmailTemplates',
  route: 'GET /email-templates',
  scope: 'templates:read',
  effect: 'read',
  reach: 'organization',
  title: 'List email templates',
  description: 'Lists templates without their content, by status and category, newest first by default.',
  askedAs: 'which mails do we have for guests',
  input: ListEmailTemplates,
  output: page(EmailTemplateSummary),
});

export const getEmailTemplate = operation({
  name: 'getEmailTemplate',
  route: 'GET /email-templates/{templateId}',
  scope: 'templates:read',
  effect: 'read',
  reach: 'organization',
  title: 'Get an email template',
  description: 'Returns a version of a template (the latest by default) with its lint findings.',
  askedAs: 'read the content of a mail',
  input: GetEmailTemplate,
  output: one(EmailTemplateView),
});

export const updateEmailTemplate = operation({
  name: 'updateEmailTemplate',
  route: 'PATCH /email-templates/{templateId}',
  scope: 'templates:write',
  effect: 'write',
  reach: 'organization',
  title: 'Change an email template',
  description:
    'Saves the given content as a new version, based on the latest one. The published version does not change until publishEmailTemplate.',
  askedAs: 'edit text or subject of a mail',
  refuses: [templateIsArchived],
  input: UpdateEmailTemplate,
  output: one(EmailTemplateView),
});

export const renderEmailTemplate = operation({
  name: 'renderEmailTemplate',
  route: 'POST /email-templates/{templateId}/render',
  scope: 'templates:read',
  effect: 'read',
  reach: 'organization',
  title: 'Preview an email template',
  description: 'Renders a version with sample data: subject, HTML and plain text. Nothing is sent.',
  askedAs: 'preview a mail with sample values, how it will look',
  refuses: [templateDoesNotRender],
  input: RenderEmailTemplate,
  output: one(RenderedEmail),
});

export const diffEmailTemplate = operation({
  name: 'diffEmailTemplate',
  route: 'POST /email-templates/{templateId}/diff',
  scope: 'templates:read',
  effect: 'read',
  reach: 'organization',
  title: 'Compare versions of an email template',
  description: 'Compares two versions of a template, field by field, as unified diffs.',
  askedAs: 'compare versions, what changed',
  input: DiffEmailTemplate,
  output: one(TemplateDiffView),
});

export const publishEmailTemplate = operation({
  name: 'publishEmailTemplate',
  route: 'POST /email-templates/{templateId}/publish',
  scope: 'templates:publish',
  effect: 'write',
  reach: 'organization',
  title: 'Publish an email template',
  description:
    'Publishes a version (the latest by default), which is sent from now on. Rejected while lint finds errors in it.',
  askedAs: 'put into use, release a version',
  refuses: [templateHasErrors, templateIsArchived],
  input: PublishEmailTemplate,
  // The version may be an earlier one.
  carriesOut: ({ templateVersion }): Operation[] => (templateVersion === undefined ? [] : [rollBackEmailTemplate]),
  output: one(EmailTemplateView),
});

export const rollBackEmailTemplate = operation({
  name: 'rollBackEmailTemplate',
  route: 'POST /email-templates/{templateId}/roll-back',
  scope: 'templates:publish',
  effect: 'write',
  reach: 'organization',
  title: 'Roll back an email template',
  description: 'Publishes an earlier version again, by default the one published before.',
  askedAs: 'previous version of a mail, undo publishing',
  refuses: [nothingToRollBackTo, templateHasErrors, templateIsArchived, templateIsNotPublished],
  input: RollBackEmailTemplate,
  carriesOut: (): Operation[] => [publishEmailTemplate],
  output: one(EmailTemplateView),
});

export const sendTestEmail = operation({
  name: 'sendTestEmail',
  route: 'POST /email-templates/{templateId}/test-send',
  scope: 'templates:write',
  effect: 'write',
  reach: 'organization',
  title: 'Send a test email',
  description: 'Sends a version, with sample data and marked [Test], to you or another member, and never to a guest.',
  askedAs: 'try out a mail in my inbox',
  refuses: [templateDoesNotRender, templateIsArchived],
  input: SendTestEmail,
  output: one(MessageView),
});

export const archiveEmailTemplate = operation({
  name: 'archiveEmailTemplate',
  route: 'POST /email-templates/{templateId}/archive',
  scope: 'templates:write',
  effect: 'destructive',
  reach: 'organization',
  title: 'Archive an email template',
  description:
    'Archives a template permanently; it is never sent again. Messages that are already queued are still sent.',
  askedAs: 'delete, withdraw',
  input: ThisEmailTemplate,
  output: one(EmailTemplateView),
});
