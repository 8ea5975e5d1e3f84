import { invalidField, notFound } from '#errors';

export const unknownSubject = () =>
  invalidField(['who'], 'Choose all, an application (app_…) or an API key (key_…) of this organization.');

export const unknownWhat = () =>
  invalidField(['what'], 'Choose everything, write, destructive, secrets, or the name of an operation.');

export const ruleExists = () =>
  invalidField(['what'], 'A rule for this already exists. Remove it before you add another.');

export const ruleNotFound = () => notFound('rule', 'Reload the page.');
