import { Injectable } from '@nestjs/common';
import { type DueRow, Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { MailService } from '../../platform/mail/mail.service.js';
import { EventsService } from '../../platform/events/events.service.js';
import { EndpointPermissionsRepository, soonestChange } from './endpoint-permissions.repository.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { permissionsLostMail } from './webhook-mail.js';
import { endpointDegraded, endpointRecovered, endpointUpdated } from './webhooks.events.js';

const atOnce = 50;

/**
 * Records on endpoints which permissions their makers have lost, and notifies the owners. Each delivery checks the
 * maker's permissions itself, so nothing is sent before this runs.
 */
@Injectable()
export class EndpointPermissions implements Work<DueRow> {
  readonly name = 'webhook-permissions';
  readonly lane = schedules;
  readonly soonest = soonestChange;

  constructor(
    private readonly permissions: EndpointPermissionsRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
    private readonly mail: MailService,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  due(now: string): Promise<DueRow[]> {
    return this.permissions.changed(now, atOnce);
  }

  async perform(due: DueRow): Promise<void> {
    await this.database.transaction(due.orgId, async () => {
      const endpoint = await this.endpoints.findAnyForChange(due.orgId, due.id);
      if (!endpoint || endpoint.boundTo === null || endpoint.health === 'disabled') return;
      const missingScopes = await this.permissions.missing(due, new Date().toISOString());
      const had = endpoint.missingScopes;
      if (missingScopes.join() === had.join()) return;
      const before = await this.endpoints.update(endpoint, { missingScopes });
      this.events.record({ orgId: due.orgId }, whatHappened(endpoint, had), endpoint, before);
      if (missingScopes.some((scope) => !had.includes(scope))) await this.notifyOwners(endpoint);
    });
  }

  private async notifyOwners(endpoint: WebhookEndpoint): Promise<void> {
    for (const to of await this.permissions.ownersOf(endpoint.orgId))
      await this.mail.queue(permissionsLostMail(to, endpoint));
  }
}

function whatHappened({ status, missingScopes }: WebhookEndpoint, had: readonly string[]) {
  if (had.length === 0) return endpointDegraded;
  return missingScopes.length === 0 && status === 'enabled' ? endpointRecovered : endpointUpdated;
}
