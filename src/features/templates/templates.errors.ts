import { conflict, invalidField, notFound, recordNotFound, shaped } from '#errors';
import { TemplateIssuesDetails } from './template-details.dto.js';
import type { TemplateIssue, TemplateStatus } from './template.dto.js';

export const templateNotFound = recordNotFound('template', 'listEmailTemplates');

export const versionNotFound = () =>
  notFound('version of the template', 'Pass one of the versions that getEmailTemplate lists.');

export const memberNotFound = recordNotFound('member', 'listMembers');

export const templateIsArchived = () =>
  conflict('TEMPLATE_ARCHIVED', 'The template is archived. Save a new one with saveEmailTemplate.');

export const templateChangedMeanwhile = () =>
  conflict(
    'TEMPLATE_CHANGED_MEANWHILE',
    'The template was changed while the model worked, so nothing was saved. Send the request again.',
  );

export const templateHasErrors = (issues: TemplateIssue[]) =>
  conflict(
    'TEMPLATE_HAS_ERRORS',
    'This version has errors. Fix the problems in details.issues, then publish it.',
    shaped(TemplateIssuesDetails, { issues }),
  );

export const templateIsNotPublished = (status: TemplateStatus) =>
  conflict(
    'TEMPLATE_NOT_PUBLISHED',
    `The template is ${status}; only a published one can be sent. Publish a version with publishEmailTemplate.`,
  );

export const nothingToRollBackTo = () =>
  conflict(
    'NOTHING_TO_ROLL_BACK_TO',
    'No earlier version of the template was published. Pass a published version as templateVersion.',
  );

export const notAnEarlierVersion = (published: number) =>
  invalidField(['templateVersion'], `Pass a version earlier than ${published}, the published one.`);

export const templateDoesNotRender = (reason: string) =>
  conflict('TEMPLATE_DOES_NOT_RENDER', `This version cannot be rendered with this data: ${reason}`);

export const valueMissing = (key: string) =>
  invalidField(
    ['data', ...key.split('.')],
    'The template requires this value and has no fallback for it. Pass a value.',
  );

export const valueOfAnotherType = (key: string, type: string) =>
  invalidField(
    ['data', ...key.split('.')],
    `The template declares this variable as ${type}. Pass a value of that type.`,
  );

export const tooMuchData = () => invalidField(['data'], 'Pass at most 50,000 characters of data.');

export const variableTwice = (index: number) =>
  invalidField(
    ['variables', index, 'key'],
    'Another variable has this key, or begins with it and a dot. Choose another key.',
  );

export const callerHasNoAddress = () =>
  invalidField(['memberId'], 'This member has no email address. Pass a member who has one, such as yourself.');

export const checkTakesTooLong = () =>
  invalidField(['body'], 'The template takes too long to check. Use fewer elements and less Liquid.');

export const comparisonTakesTooLong = () =>
  invalidField(
    ['from'],
    'These versions take too long to compare. Read both with getEmailTemplate and compare them yourself.',
  );
