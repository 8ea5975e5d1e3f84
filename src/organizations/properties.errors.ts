import { forbidden, notFound } from '#errors';

export const propertyNotFound = () => notFound('property');

export const limitedToProperties = () =>
  forbidden('This credential is limited to some properties, so it cannot add another one. Use one without that limit.');
