import { forbidden } from '#errors';

export const organizationWide = () =>
  forbidden(
    'This credential is limited to some properties and cannot do this. Use a credential without a property limit.',
    'ORGANIZATION_WIDE',
  );
