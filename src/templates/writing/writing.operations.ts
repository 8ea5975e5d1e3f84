import { modelBacked } from '../../models/model-jobs.operations.js';
import { ModifyEmailTemplate, WriteEmailTemplate } from './writing.dto.js';

/** The specification's names; saveEmailTemplate and updateEmailTemplate are given the content. */
export const writeEmailTemplate = modelBacked({
  name: 'create_email_template',
  route: 'POST /email-templates/generate',
  scope: 'templates:write',
  reach: 'organization',
  title: 'Have a model write an email template',
  description:
    'A model writes it from an instruction: the job yields the draft of a new template, which is not sent before it is published. Use saveEmailTemplate where the content is given.',
  input: WriteEmailTemplate,
});

export const modifyEmailTemplate = modelBacked({
  name: 'modify_email_template',
  route: 'POST /email-templates/{templateId}/modify',
  scope: 'templates:write',
  reach: 'organization',
  title: 'Have a model change an email template',
  description:
    'A model writes it from an instruction: the job yields a new version of the template and a diff; what is published stays. Use updateEmailTemplate where the content is given.',
  input: ModifyEmailTemplate,
});
