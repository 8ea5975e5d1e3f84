import { one, operation, page } from '#operations';
import { GetRequest, GetUsage, ListRequests, RequestView, UsageView } from './request.dto.js';

const reading = { scope: 'requests:read', effect: 'read', reach: 'organization' } as const;

export const listRequests = operation({
  ...reading,
  name: 'listRequests',
  route: 'GET /requests',
  title: 'List requests',
  description:
    'Lists the authenticated requests of the last 7 days, newest first: who asked for which operation, and how it ended. Never their content.',
  input: ListRequests,
  output: page(RequestView),
});

export const getRequest = operation({
  ...reading,
  name: 'getRequest',
  route: 'GET /requests/{requestId}',
  title: 'Get a request',
  description: 'Returns a request of the last 7 days, by its id or by its X-Request-Id.',
  input: GetRequest,
  output: one(RequestView),
});

export const getUsage = operation({
  ...reading,
  name: 'getUsage',
  route: 'GET /usage',
  title: 'Get the usage',
  description: 'Counts requests, errors and their time by hour or day, credential and operation, newest first.',
  input: GetUsage,
  output: page(UsageView),
});
