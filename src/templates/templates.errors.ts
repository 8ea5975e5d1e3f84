import { conflict, invalidField, notFound } from '#errors';
import type { TemplateIssue, TemplateStatus } from '../features/templates/template.dto.js';

export const templateNotFound = () => notFound('template');

export const versionNotFound = () => notFound('version of the template');

export const memberNotFound = () => notFound('member');

export const templateIsArchived = () => conflict('TEMPLATE_ARCHIVED', 'The template is archived; make a new one.');

export const templateChangedMeanwhile = () =>
  conflict(
    'TEMPLATE_CHANGED_MEANWHILE',
    'The template was changed while the model wrote. Ask again for a change of it.',
  );

export const templateHasErrors = (issues: TemplateIssue[]) =>
  conflict('TEMPLATE_HAS_ERRORS', 'This version has errors; put right what details.issues names, then publish it.', {
    issues,
  });

export const templateIsNotPublished = (status: TemplateStatus) =>
  conflict(
    'TEMPLATE_NOT_PUBLISHED',
    `The template is ${status}; only a published one is sent. Publish a version of it.`,
  );

export const nothingToRollBackTo = () =>
  conflict('NOTHING_TO_ROLL_BACK_TO', 'No earlier version of the template was published. Name one in templateVersion.');

export const notAnEarlierVersion = (published: number) =>
  invalidField(['templateVersion'], `Give a version before ${published}, the one that is published.`);

/** A version that cannot be rendered with some data; the message is why, in Liquid's own words or ours. */
export class Unrenderable extends Error {}

export const templateDoesNotRender = (reason: Unrenderable['message']) =>
  conflict('TEMPLATE_DOES_NOT_RENDER', `This version cannot be rendered with these data: ${reason}`);

export const valueMissing = (key: string) =>
  invalidField(['data', ...key.split('.')], 'The template requires this value, and there is no fallback for it.');

export const valueOfAnotherType = (key: string, type: string) =>
  invalidField(['data', ...key.split('.')], `The template declares this as ${type}; give such a value.`);

export const tooMuchData = () => invalidField(['data'], 'Give up to 50,000 characters of data.');

export const variableTwice = (index: number) =>
  invalidField(['variables', index, 'key'], 'Another variable has this key, or begins with it and a dot; choose one.');

export const callerHasNoAddress = () =>
  invalidField(['memberId'], 'This member has no email address. Name one who has, such as yourself.');

export const checkTakesTooLong = () =>
  invalidField(['body'], 'The template takes too long to check. Use fewer elements and less Liquid.');

export const comparisonTakesTooLong = () =>
  invalidField(['from'], 'These versions take too long to compare. Compare them yourself, with getEmailTemplate.');
