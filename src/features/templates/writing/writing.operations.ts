import { versionMismatch } from '#access';
import { modelBacked } from '../../../outside/models/model-jobs.operations.js';
import { ModifyEmailTemplate, WriteEmailTemplate } from './writing.dto.js';
import { templateIsArchived } from '../templates.errors.js';
import { saveEmailTemplate, updateEmailTemplate } from '../templates.operations.js';

/** The specification's names; saveEmailTemplate and updateEmailTemplate are given the content. */
export const writeEmailTemplate = modelBacked({
  name: 'create_email_template',
  route: 'POST /email-templates/generate',
  scope: 'templates:write',
  reach: 'organization',
  title: 'Have a model write an email template',
  description:
    'A model writes an email template from an instruction. The job creates a draft; publishEmailTemplate publishes it. Use saveEmailTemplate if you have the content.',
  askedAs: 'AI writes a mail',
  everyday: true,
  input: WriteEmailTemplate,
  carriesOut: () => [saveEmailTemplate],
});

export const modifyEmailTemplate = modelBacked({
  name: 'modify_email_template',
  route: 'POST /email-templates/{templateId}/modify',
  scope: 'templates:write',
  reach: 'organization',
  title: 'Have a model change an email template',
  description:
    'A model changes an email template according to an instruction. The job creates a new version and a diff; the published version does not change. Use updateEmailTemplate if you have the content.',
  askedAs: 'AI rewrites a mail',
  everyday: true,
  refuses: [templateIsArchived, versionMismatch],
  input: ModifyEmailTemplate,
  carriesOut: () => [updateEmailTemplate],
});
