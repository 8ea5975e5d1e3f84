import { Decimal, Flag, Id, Int, ListOf, ObjectOf, OneOf, Pattern, Text, Timestamp } from '#operations';

export const requestDoors = ['rest', 'mcp', 'page'] as const;
const credentialKinds = ['api-key', 'oauth', 'session', 'workflow'] as const;
export const usagePeriods = ['hour', 'day'] as const;

export class RequestCredentialView {
  @OneOf(credentialKinds, {
    description: 'api-key; oauth: an application that a person approved; session or workflow.',
  })
  kind: (typeof credentialKinds)[number];
  @Text({ description: 'Id of the API key, approval, session or workflow.', max: 100 }) id: string;
}

export class RequestView {
  @Id('request', { description: 'Id of the request in this log (request_…), unique.' }) id: string;
  @Text({ description: 'X-Request-Id of the request, which a client may choose and repeat.', max: 200 })
  requestId: string;
  @Timestamp({ description: 'When the request arrived.' }) at: string;
  @OneOf(requestDoors, { description: 'rest, mcp, or page.' }) door: (typeof requestDoors)[number];
  @Text({ description: 'Operation; null if the request had none.', max: 100, nullable: true }) operation: string | null;
  @Int({ description: 'HTTP status; of a tool call, the status of its result.', min: 100, max: 599 }) status: number;
  @Text({ description: 'Code of the error; null if the request succeeded.', max: 100, nullable: true }) code:
    | string
    | null;
  @ObjectOf(() => RequestCredentialView, { description: 'Credential that was used.' })
  credential: RequestCredentialView;
  @Id('grant', { description: 'Approval of the application behind the request (grant_…).', nullable: true })
  applicationId: string | null;
  @Id('member', { description: 'Member that the credential acts for (member_…).' }) memberId: string;
  @Decimal({ description: 'Milliseconds until the response was complete.', min: 0, max: 1e9 }) milliseconds: number;
  @Int({
    description: 'Bytes of the response body; null for a stream.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    nullable: true,
  })
  bytes: number | null;
  @Flag({ description: 'Whether the response is that of an earlier request with the same Idempotency-Key.' })
  replayed: boolean;
  @Flag({ description: 'Whether the request was a rehearsal, which changes nothing.' }) dryRun: boolean;
  @ListOf({ text: 500 }, { description: 'Input fields that were invalid, such as primaryGuest.name.', max: 20 })
  invalidFields: string[];
  @Flag({ description: 'Whether the request was sampled: after 100,000 reads a day, one in 20 is logged.' })
  sampled: boolean;
}

class Page {
  @Int({ description: 'Maximum number of results; default: 20.', optional: true, min: 1, max: 100 }) limit?: number;
  @Text({
    description: 'meta.pagination.nextCursor of the previous page; the filters must stay the same.',
    optional: true,
    max: 500,
  })
  cursor?: string;
}

export class ListRequests extends Page {
  @Timestamp({ description: 'Only requests at or after this time.', optional: true }) from?: string;
  @Timestamp({ description: 'Only requests before this time.', optional: true }) to?: string;
  @Pattern({
    description: 'Only this status, such as 404, or this class, such as 4xx.',
    pattern: /^[1-5](\d\d|xx)$/,
    max: 3,
    message: 'Pass a status such as 404, or a class such as 4xx.',
    example: '4xx',
    optional: true,
  })
  status?: string;
  @Text({ description: 'Only requests that ended with this error code.', max: 100, optional: true }) code?: string;
  @Text({ description: 'Only requests to this operation.', max: 100, optional: true }) operation?: string;
  @Text({
    description:
      'Only requests with this API key (key_…), from listApiKeys, approval (grant_…), from listApplications, or session.',
    max: 100,
    optional: true,
  })
  credentialId?: string;
  @Id('grant', { description: 'Only requests of this application (grant_…), from listApplications.', optional: true })
  applicationId?: string;
  @OneOf(requestDoors, { description: 'Only requests through this door.', optional: true })
  door?: (typeof requestDoors)[number];
}

export class GetRequest {
  @Text({
    description: 'Id of the request (request_…), or its X-Request-Id, for the newest request with it.',
    max: 200,
    example: 'request_0199c0a44d4b7000a000000000000001',
  })
  requestId: string;
}

export class UsageView {
  @Timestamp({ description: 'Start of the hour or day, in UTC.' }) at: string;
  @ObjectOf(() => RequestCredentialView, { description: 'Credential that was used.' })
  credential: RequestCredentialView;
  @Text({ description: 'Operation; null for requests without one.', max: 100, nullable: true }) operation:
    | string
    | null;
  @Int({ description: 'Requests, including rejected ones.', min: 0, max: Number.MAX_SAFE_INTEGER }) requests: number;
  @Int({ description: 'Requests that ended with a status of 400 or more.', min: 0, max: Number.MAX_SAFE_INTEGER })
  errors: number;
  @Int({ description: 'Requests that ended with 429.', min: 0, max: Number.MAX_SAFE_INTEGER }) rateLimited: number;
  @Decimal({ description: 'Total milliseconds of all requests.', min: 0, max: Number.MAX_SAFE_INTEGER })
  milliseconds: number;
  @Int({
    description:
      'Busiest minute of the credential in the period, across all operations, as its limit counts; null if not recorded.',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    nullable: true,
  })
  peakPerMinute: number | null;
}

export class GetUsage extends Page {
  @OneOf(usagePeriods, {
    description: 'hour for the last 90 days, or day for the last 400; default: hour.',
    optional: true,
  })
  per?: (typeof usagePeriods)[number];
  @Timestamp({ description: 'Only periods that begin at or after this time.', optional: true }) from?: string;
  @Timestamp({ description: 'Only periods that begin before this time.', optional: true }) to?: string;
  @Text({
    description:
      'Only requests with this API key (key_…), from listApiKeys, approval (grant_…), from listApplications, or session.',
    max: 100,
    optional: true,
  })
  credentialId?: string;
  @Text({ description: 'Only requests to this operation.', max: 100, optional: true }) operation?: string;
}
