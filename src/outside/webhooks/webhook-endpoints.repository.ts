import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { ListWebhookEndpoints } from './webhook-endpoint.dto.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

@Injectable()
export class WebhookEndpointsRepository {
  private readonly table: Table<WebhookEndpoint>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, WebhookEndpoint, cursors);
  }

  find(caller: Caller, endpointId: string, tail = ''): Promise<WebhookEndpoint | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(endpointId)), tail);
  }

  /** For changes that no request caused, such as the outcome of a delivery. */
  findAnyForChange(orgId: string, endpointId: string): Promise<WebhookEndpoint | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(endpointId)), 'for no key update');
  }

  list(caller: Caller, { bound, ...request }: ListWebhookEndpoints): Promise<Page<WebhookEndpoint>> {
    const where = this.visibleTo(caller).when(bound, '(maker_member_id is not null) = ?');
    return this.table.page(caller.orgId, where, request);
  }

  insert(endpoint: WebhookEndpoint): Promise<WebhookEndpoint> {
    return this.table.insert(endpoint);
  }

  update(endpoint: WebhookEndpoint, changes: Partial<WebhookEndpoint>): Promise<WebhookEndpoint> {
    return this.table.update(endpoint, changes);
  }

  /** Two simultaneous deletions would otherwise each wait to record the other's end. */
  async lockAll(orgId: string): Promise<void> {
    await this.table.find(orgId, this.table.where(orgId), 'order by id for no key update');
  }

  async delete({ orgId, id }: WebhookEndpoint): Promise<void> {
    await this.table.delete(orgId, id);
  }

  /** A credential that is limited to some properties sees the endpoints that are limited to them too. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_ids <@ ?::uuid[]');
  }
}
