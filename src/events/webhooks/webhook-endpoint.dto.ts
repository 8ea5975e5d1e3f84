import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOf, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';

export const endpointStatuses = ['enabled', 'degraded', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

class EndpointFields {
  @Text({
    about: 'Where events are sent: a public https address.',
    max: 2_048,
    example: 'https://example.com/webhooks',
  })
  url: string;

  @ListOf(
    { text: 100 },
    {
      about:
        'Which types of events; you need the x-scope of each. ["*"]: every type that you may read, as that changes.',
      min: 1,
      max: 200,
      example: ['task.created'],
    },
  )
  eventTypes: string[];

  @Text({ about: 'What it is for.', max: 500, optional: true, nullable: true })
  description?: string | null;

  @ListOf(
    { id: 'property' },
    {
      about: 'Only events at these properties; all that you see when left out or null.',
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
  @Id('endpoint', { about: 'The webhook endpoint.' }) endpointId: string;
}

const switches = ['enabled', 'disabled'] as const;

export class UpdateWebhookEndpoint extends IntersectionType(
  ThisWebhookEndpoint,
  PartialType(EndpointFields, { skipNullProperties: false }),
) {
  @OneOf(switches, { about: 'enabled takes it up again after it was disabled.', optional: true })
  status?: (typeof switches)[number];
}

export class ListWebhookEndpoints extends PageOf(['createdAt']) {
  @Flag({
    about: 'false: only endpoints from before permissions were checked, which are sent every event they subscribe to.',
    optional: true,
  })
  bound?: boolean;
}

export class WebhookEndpointView {
  @Id('endpoint', { about: 'The webhook endpoint.' }) id: string;
  @Text({ about: 'Where events are sent.', max: 2_048 }) url: string;
  @ListOf({ text: 100 }, { about: 'Which types of events; ["*"] is all of them.', max: 200 }) eventTypes: string[];
  @Text({ about: 'What it is for.', max: 500, nullable: true }) description: string | null;
  @ListOf({ id: 'property' }, { about: 'Only events at these; null for all.', nullable: true, max: 1_000 })
  propertyIds: string[] | null;
  @OneOf(endpointStatuses, {
    about: 'degraded: it has failed for a day, and is disabled after five; or missingScopes is not empty.',
  })
  status: EndpointStatus;
  @Id('member', {
    about: 'The member who last edited it: only events that they may read are sent. null: not bound until next edited.',
    nullable: true,
  })
  boundTo: string | null;
  @ListOf({ text: 100 }, { about: 'Permissions that this member has lost since; those events are withheld.', max: 200 })
  missingScopes: string[];
  @Timestamp({ about: 'Since when nothing but failures came of it.', nullable: true }) failingSince: string | null;
  @Timestamp({ about: 'Until when the secret before the last rotation signs too.', nullable: true })
  previousSecretUntil: string | null;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

export class WebhookEndpointSecretView extends WebhookEndpointView {
  @Text({ about: 'What deliveries are signed with (Standard Webhooks), shown this once.', max: 100 }) secret: string;
}
