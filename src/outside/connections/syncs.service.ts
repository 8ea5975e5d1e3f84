import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type Claim, type ClaimedTable, type ClaimedWork, claiming, doubling, Jobs, schedules } from '#jobs';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { ConnectionAccounts } from './connection-accounts.js';
import { ConnectionProviders, type Pulled } from './connection-provider.js';
import type { Connection } from './connection.entity.js';
import { changedMeanwhile, syncIsRunning } from './connections.errors.js';
import { connectionSynced, connectionSyncFailed } from './connections.events.js';
import { ConnectionsRepository } from './connections.repository.js';
import { syncCaller } from './sync-caller.js';

const patienceMs = 15_000;
const pollMs = 100;
const restMs = 15 * 60_000;
/** A failing provider is called less and less often. */
const restAfter = doubling(restMs, 6 * 60 * 60_000);
const errorsKept = 5;
const outOfUse = 'The property is archived. Restore it, or disconnect the connection.';

/**
 * Runs syncs: calls the provider while no transaction is open, then applies the response and records the outcome in one
 * transaction. A claim prevents two syncs of one connection at the same time, across all nodes.
 */
@Injectable()
export class SyncsService implements ClaimedWork {
  readonly name = 'syncs';
  readonly lane = schedules;
  readonly claims: ClaimedTable;
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
    this.claims = connections.claims;
    jobs.take(claiming(this));
  }

  async perform(claim: Claim): Promise<void> {
    await this.sync(claim);
  }

  /**
   * Syncs a connection now, after a sync in progress.
   *
   * @throws conflict_error if that sync does not end, or the connection changes during it.
   */
  async run({ orgId, id }: Connection): Promise<Connection> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const claim = await this.claims.takeEarly({ orgId, id });
      if (claim) {
        const synced = await this.sync(claim);
        if (!synced) throw changedMeanwhile();
        return synced;
      }
      if (performance.now() > deadline) throw syncIsRunning();
      await wait(pollMs);
    }
  }

  /** Calls the provider without applying the response. */
  async pull(connection: Connection): Promise<Pulled> {
    if (await this.isOutOfUse(connection)) return { outcome: 'failed', reason: outOfUse };
    return await this.providers.choose(connection.provider, connection.kind).pull(this.accounts.open(connection));
  }

  private async sync(claim: Claim): Promise<Connection | undefined> {
    try {
      const connection = await this.connections.ofClaim(claim);
      return connection && (await this.settle(claim, await this.pull(connection)));
    } catch (error) {
      this.log.error({ err: error as Error, connectionId: claim.id }, 'A sync failed');
      const reason = 'The service could not import the provider’s response. It retries automatically.';
      await this.settle(claim, { outcome: 'failed', reason }).catch(() => undefined);
      throw error;
    }
  }

  /** The property may have been archived while the connection was created. */
  private async isOutOfUse(connection: Connection): Promise<boolean> {
    const { propertyId } = connection;
    if (!propertyId) return false;
    return (await this.properties.get(syncCaller(connection), propertyId)).archivedAt !== null;
  }

  /** Writes the data and the outcome in one transaction; writes nothing if the claim is no longer valid. */
  private settle(claim: Claim, pulled: Pulled): Promise<Connection | undefined> {
    return this.database.transaction(claim.orgId, async () => {
      const connection = await this.connections.ofClaim(claim, 'for no key update');
      if (!connection) return undefined;
      const noted =
        pulled.outcome === 'failed' ? failed(connection, pulled.reason) : await this.apply(connection, pulled);
      const before = await this.connections.update(connection, { ...noted, syncLeaseUntil: null });
      const happened = pulled.outcome === 'failed' ? connectionSyncFailed : connectionSynced;
      this.events.record({ orgId: claim.orgId }, happened, connection, before);
      return connection;
    });
  }

  private async apply(
    connection: Connection,
    { apply }: Extract<Pulled, { outcome: 'pulled' }>,
  ): Promise<Partial<Connection>> {
    const provider = this.providers.choose(connection.provider, connection.kind);
    const lastSync = await apply(syncCaller(connection));
    const now = Date.now();
    return {
      ...succeeded,
      lastSync,
      syncs: connection.syncs + 1,
      lastSyncAt: new Date(now).toISOString(),
      nextSyncAt: provider.pulls ? new Date(now + restMs).toISOString() : null,
    };
  }
}

/** A provider that responds again is healthy. The last error stays readable. */
export const succeeded = { status: 'connected', reason: null, failures: 0 } satisfies Partial<Connection>;

export function failed(connection: Connection, reason: string): Partial<Connection> {
  const now = Date.now();
  const failures = connection.failures + 1;
  const error = { occurredAt: new Date(now).toISOString(), message: reason };
  return {
    status: 'degraded',
    reason,
    failures,
    errors: [error, ...connection.errors].slice(0, errorsKept),
    nextSyncAt: new Date(now + restAfter(failures)).toISOString(),
  };
}
