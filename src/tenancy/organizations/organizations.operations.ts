import { NoInput, one, operation } from '#operations';
import { OrganizationView, UpdateOrganization } from './organization.dto.js';

export const getOrganization = operation({
  name: 'getOrganization',
  route: 'GET /organization',
  scope: 'organization:read',
  effect: 'read',
  reach: 'organization',
  title: 'Get the organization',
  description: 'Returns the organization that this credential acts in, with its settings.',
  askedAs: 'company settings, quotas',
  input: NoInput,
  output: one(OrganizationView),
});

export const updateOrganization = operation({
  name: 'updateOrganization',
  route: 'PATCH /organization',
  scope: 'organization:manage',
  effect: 'write',
  reach: 'organization',
  title: "Change the organization's settings",
  description: 'Changes the given settings. Slug and region cannot be changed.',
  askedAs: 'company name, require two-factor',
  input: UpdateOrganization,
  output: one(OrganizationView),
});
