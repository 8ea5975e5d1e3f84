import { one, operation, page } from '#operations';
import { ApplicationView, ListApplications, ThisApplication } from './application.dto.js';

export const listApplications = operation({
  name: 'listApplications',
  route: 'GET /applications',
  scope: 'applications:read',
  effect: 'read',
  reach: 'record',
  title: 'List connected applications',
  description: 'The applications that may act for a person here, with what they were granted and when they last acted.',
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
    "Ends an approval, its tokens and the API keys created through it. Another member's needs applications:manage.",
  input: ThisApplication,
  output: one(ApplicationView),
});
