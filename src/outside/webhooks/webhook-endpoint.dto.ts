import { Flag, Id, Int, IntersectionType, ListOf, OneOf, PageOf, PartialType, Text, Timestamp } from '#operations';

export const endpointStatuses = ['enabled', 'degraded', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

class EndpointFields {
  @Text({
    description: 'Address that events are sent to (public https).',
    max: 2_048,
    example: 'https://example.com/webhooks',
  })
  url: string;

  @ListOf(
    { text: 100 },
    {
      description: 'Event types; you need the x-scope of each. ["*"]: every type that you may read, which can change.',
      min: 1,
      max: 200,
      example: ['task.created'],
    },
  )
  eventTypes: string[];

  @Text({ description: 'What the endpoint is for.', max: 500, optional: true, nullable: true })
  description?: string | null;

  @ListOf(
    { id: 'property' },
    {
      description:
        'Only events at these properties (property_…), from listProperties; omitted or null: all that you can see.',
      optional: true,
      nullable: true,
      min: 1,
      max: 1_000,
    },
  )
  propertyIds?: string[] | null;
}

export class CreateWebhookEndpoint extends EndpointFields {}

export class ThisWebhookEndpoint {
  @Id('endpoint', { description: 'Webhook endpoint id (endpoint_…), from listWebhookEndpoints.' }) endpointId: string;
}

const switches = ['enabled', 'disabled'] as const;

export class UpdateWebhookEndpoint extends IntersectionType(ThisWebhookEndpoint, PartialType(EndpointFields)) {
  @OneOf(switches, { description: 'enabled: enables a disabled endpoint again.', optional: true })
  status?: (typeof switches)[number];
}

export class ListWebhookEndpoints extends PageOf(['createdAt']) {
  @Flag({
    description:
      'false: only endpoints created before permissions were checked, which receive every event they subscribe to.',
    optional: true,
  })
  bound?: boolean;
}

export class WebhookEndpointView {
  @Id('endpoint', { description: 'Webhook endpoint id (endpoint_…).' }) id: string;
  @Text({ description: 'Address that events are sent to.', max: 2_048 }) url: string;
  @ListOf({ text: 100 }, { description: 'Event types; ["*"] for all.', max: 200 })
  eventTypes: string[];
  @Text({ description: 'What the endpoint is for.', max: 500, nullable: true }) description: string | null;
  @ListOf(
    { id: 'property' },
    { description: 'Properties whose events are sent (property_…); null for all.', nullable: true, max: 1_000 },
  )
  propertyIds: string[] | null;
  @OneOf(endpointStatuses, {
    description:
      'degraded: missingScopes is not empty, or deliveries have failed for a day; after five days the endpoint is disabled.',
  })
  status: EndpointStatus;
  @Id('member', {
    description:
      'Member who last edited the endpoint (member_…); only events that they may read are sent. null: not bound until the next edit.',
    nullable: true,
  })
  boundTo: string | null;
  @ListOf(
    { text: 100 },
    { description: 'Permissions that this member has lost; events that need them are withheld.', max: 200 },
  )
  missingScopes: string[];
  @Timestamp({ description: 'Time since which all deliveries have failed.', nullable: true }) failingSince:
    | string
    | null;
  @Timestamp({ description: 'When the previous secret stops signing.', nullable: true })
  previousSecretUntil: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the endpoint was created.' }) createdAt: string;
  @Timestamp({ description: 'When the endpoint was last changed.' }) updatedAt: string;
}

export class WebhookEndpointSecretView extends WebhookEndpointView {
  @Text({ description: 'Secret that signs deliveries (Standard Webhooks); shown only once.', max: 100 })
  secret: string;
}
