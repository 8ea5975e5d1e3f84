import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import { connectionCaller, operatorFor } from '../../organizations/operator.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { ConnectionAccounts } from './connection-accounts.js';
import { ConnectionProviders, type Pulled } from './connection-provider.js';
import type { Connection } from './connection.entity.js';
import { changedMeanwhile, syncIsRunning } from './connections.errors.js';
import { connectionSynced, connectionSyncFailed } from './connections.events.js';
import { ConnectionsRepository, type DueConnection, type Lease } from './connections.repository.js';

/** Longer than any provider is waited for, so that a lease that is over belongs to a process that is gone. */
const leaseMs = 60_000;
const patienceMs = 15_000;
const pollMs = 100;
const restMs = 15 * 60_000;
const longestRestMs = 6 * 60 * 60_000;
const errorsKept = 5;
const outOfUse = 'The property is archived. Restore it, or disconnect the connection.';

/**
 * Brings what connections lead to in step: asks the provider while no transaction is open, then takes over what it
 * answered and notes how it went in one. A lease keeps two syncs of one connection apart, on all nodes.
 */
@Injectable()
export class SyncsService implements Work<DueConnection> {
  readonly name = 'syncs';
  readonly lane = schedules;
  readonly everyMs = 5_000;
  private readonly log = new Logger(SyncsService.name);

  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly providers: ConnectionProviders,
    private readonly accounts: ConnectionAccounts,
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
    private readonly properties: PropertiesService,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  due(now: string): Promise<DueConnection[]> {
    return this.connections.due(now);
  }

  async perform({ orgId, id }: DueConnection): Promise<void> {
    const lease = { orgId, connectionId: id, until: leaseEnd() };
    if (await this.connections.takeDue(lease, new Date().toISOString())) await this.sync(lease);
  }

  /**
   * Syncs a connection now, after a sync of it that is under way.
   *
   * @throws conflict_error when that one does not end, or the connection is changed meanwhile.
   */
  async run({ orgId, id }: Connection): Promise<Connection> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const lease = { orgId, connectionId: id, until: leaseEnd() };
      if (await this.connections.take(lease, new Date().toISOString())) {
        const synced = await this.sync(lease);
        if (!synced) throw changedMeanwhile();
        return synced;
      }
      if (performance.now() > deadline) throw syncIsRunning();
      await wait(pollMs);
    }
  }

  /** Asks the provider, and takes nothing over. */
  async pull(connection: Connection): Promise<Pulled> {
    if (await this.isOutOfUse(connection)) return { outcome: 'failed', reason: outOfUse };
    return await this.providers.choose(connection.provider, connection.kind).pull(this.accounts.open(connection));
  }

  private async sync(lease: Lease): Promise<Connection | undefined> {
    try {
      const connection = await this.connections.leased(lease);
      return connection && (await this.settle(lease, await this.pull(connection)));
    } catch (error) {
      this.log.error({ err: error as Error, connectionId: lease.connectionId }, 'A sync failed');
      const reason = 'The service could not take over what the provider answered; it will try again.';
      await this.settle(lease, { outcome: 'failed', reason }).catch(() => undefined);
      throw error;
    }
  }

  /** Where it was archived while the connection was made. */
  private async isOutOfUse({ orgId, createdBy, propertyId }: Connection): Promise<boolean> {
    if (!propertyId) return false;
    return (await this.properties.get(operatorFor(orgId, createdBy), propertyId)).archivedAt !== null;
  }

  /** One transaction for all that was brought and for how it went; nothing where the lease does not hold any more. */
  private settle(lease: Lease, pulled: Pulled): Promise<Connection | undefined> {
    return this.database.transaction(lease.orgId, async () => {
      const connection = await this.connections.leased(lease, 'for no key update');
      if (!connection) return undefined;
      const noted =
        pulled.outcome === 'failed' ? failed(connection, pulled.reason) : await this.apply(connection, pulled);
      const before = await this.connections.update(connection, { ...noted, syncLeaseUntil: null });
      const happened = pulled.outcome === 'failed' ? connectionSyncFailed : connectionSynced;
      this.events.record({ orgId: lease.orgId }, happened, connection, before);
      return connection;
    });
  }

  /** What a connection brings it brings in its own name, whoever asked for the sync. */
  private async apply(
    connection: Connection,
    { apply }: Extract<Pulled, { outcome: 'pulled' }>,
  ): Promise<Partial<Connection>> {
    const lastSync = await apply(connectionCaller(connection.orgId, connection.createdBy));
    const now = Date.now();
    return {
      ...succeeded,
      lastSync,
      syncs: connection.syncs + 1,
      lastSyncAt: new Date(now).toISOString(),
      nextSyncAt: new Date(now + restMs).toISOString(),
    };
  }
}

const leaseEnd = (): string => new Date(Date.now() + leaseMs).toISOString();

/** A provider that answers again is well again; what went wrong before stays to be read. */
export const succeeded = { status: 'connected', reason: null, failures: 0 } satisfies Partial<Connection>;

/** A provider that fails is asked less and less often. */
export function failed(connection: Connection, reason: string): Partial<Connection> {
  const now = Date.now();
  const rest = Math.min(restMs * 2 ** connection.failures, longestRestMs);
  const error = { occurredAt: new Date(now).toISOString(), message: reason };
  return {
    status: 'degraded',
    reason,
    failures: connection.failures + 1,
    errors: [error, ...connection.errors].slice(0, errorsKept),
    nextSyncAt: new Date(now + rest).toISOString(),
  };
}
