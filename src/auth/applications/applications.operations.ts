import { one, operation, page } from '#operations';
import { ApplicationView, ListApplications, ThisApplication } from './application.dto.js';

export const listApplications = operation({
  name: 'listApplications',
  route: 'GET /applications',
  scope: 'applications:read',
  effect: 'read',
  reach: 'record',
  title: 'List connected applications',
  description: 'Lists the applications that may act for a person here, with their scopes and last use.',
  askedAs: 'assistants and apps with access, OAuth clients, Claude, ChatGPT',
  input: ListApplications,
  output: page(ApplicationView),
});

export const revokeApplication = operation({
  name: 'revokeApplication',
  route: 'POST /applications/{applicationId}/revoke',
  scope: 'applications:write',
  effect: 'destructive',
  reach: 'record',
  title: 'Revoke a connected application',
  description:
    "Revokes an approval, its tokens and the API keys created through it. Another member's approval needs applications:manage.",
  askedAs: 'remove the access of an assistant or app such as Claude',
  input: ThisApplication,
  output: one(ApplicationView),
});
