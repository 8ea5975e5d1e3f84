import { one, operation, page } from '#operations';
import { GetRequest, GetUsage, ListRequests, RequestView, UsageView } from './request.dto.js';

const reading = { scope: 'requests:read', effect: 'read', reach: 'organization' } as const;

export const listRequests = operation({
  ...reading,
  name: 'listRequests',
  route: 'GET /requests',
  title: 'List API requests',
  description:
    'Lists the API requests and tool calls of the last 7 days, newest first, including rejected ones: who requested which operation, and the outcome. Their content is not stored.',
  input: ListRequests,
  output: page(RequestView),
});

export const getRequest = operation({
  ...reading,
  name: 'getRequest',
  route: 'GET /requests/{requestId}',
  title: 'Get an API request',
  description:
    'Returns an API request or tool call of the last 7 days, by its id or its X-Request-Id, with its outcome or the reason for its rejection.',
  input: GetRequest,
  output: one(RequestView),
});

export const getUsage = operation({
  ...reading,
  name: 'getUsage',
  route: 'GET /usage',
  title: 'Get the usage of the API',
  description:
    'Counts API requests, errors and milliseconds by hour or day, API key or approval, and operation, newest first.',
  input: GetUsage,
  output: page(UsageView),
});
