import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type Claim, type ClaimedTable, type ClaimedWork, claiming, Jobs, schedules } from '#jobs';
import { TenantDatabase } from '#persistence';
import { lookUntil, Slices, waitUntil } from '#turns';
import { EventsService } from '../../platform/events/events.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { ConnectionAccounts } from './connection-accounts.js';
import { ConnectionProviders, type Pulled } from './connection-provider.js';
import type { SyncCounts, SyncProgress } from './connection.dto.js';
import type { Connection } from './connection.entity.js';
import { changedMeanwhile } from './connections.errors.js';
import { connectionSynced, connectionSyncFailed } from './connections.events.js';
import { ConnectionsRepository } from './connections.repository.js';
import { syncCaller } from './sync-caller.js';
import { afterSync, failed } from './connection-states.js';

/** How long a request waits before it answers with the progress. */
const answerWithinMs = 10_000;
const pollMs = 100;
const outOfUse = 'The property is archived. Restore it, or disconnect the connection.';

/**
 * Runs syncs: calls the provider while no transaction is open, then applies the response and records the outcome. A claim
 * prevents two syncs of one connection at the same time, across all nodes.
 */
@Injectable()
export class SyncsService implements ClaimedWork, BeforeApplicationShutdown {
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

  /** Other processes take over the syncs in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.claims.end();
  }

  async perform(claim: Claim, ending: AbortSignal): Promise<void> {
    await this.sync(claim, ending);
  }

  /** Syncs a connection in the transaction that creates it. */
  async runNew({ orgId, id }: Connection): Promise<Connection> {
    const claim = await this.claims.takeEarly({ orgId, id });
    const synced = claim && (await this.sync(claim));
    if (!synced) throw changedMeanwhile();
    return synced;
  }

  /**
   * Syncs a connection now, after a sync in progress.
   *
   * @returns the connection when that is done, or after 10 seconds with what is in progress: this sync, which continues, or
   * the one before it, which this one follows.
   * @throws conflict_error if the connection changes during it.
   */
  async request({ orgId, id }: Connection): Promise<Connection> {
    const deadline = Date.now() + answerWithinMs;
    // Undefined if another sync is in progress all the time.
    const take = (): Promise<Claim | undefined> => this.claims.takeEarly({ orgId, id });
    const claim = await lookUntil(deadline, pollMs, take, (taken) => taken !== undefined);
    const synced = claim && (await this.inTime(claim, deadline));
    if (!claim) await this.connections.makeDue(orgId, id);
    else if (!synced) await this.connections.keepDue(claim);
    const connection = synced ?? (await this.connections.findAny(orgId, id));
    if (!connection || !(synced || connection.currentSync)) throw changedMeanwhile();
    return connection;
  }

  /** Undefined if it is not done by then, and continues, or if it is not to be done any more. */
  private async inTime(claim: Claim, deadline: number): Promise<Connection | undefined> {
    let synced: Connection | undefined;
    const work = this.claims.hold(claim, async (over) => void (synced = await this.sync(claim, over)));
    await waitUntil(deadline, work);
    // Later failures are logged and shown at the connection.
    work.catch(() => undefined);
    return synced;
  }

  /** Calls the provider without applying the response. */
  async pull(connection: Connection): Promise<Pulled> {
    if (await this.isOutOfUse(connection)) return { outcome: 'failed', reason: outOfUse };
    return await this.providers.choose(connection.provider, connection.kind).pull(this.accounts.open(connection));
  }

  private async sync(claim: Claim, ending?: AbortSignal): Promise<Connection | undefined> {
    try {
      const connection = await this.connections.ofClaim(claim);
      return connection && (await this.settle(claim, await this.pull(connection), ending));
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

  /**
   * Writes the data and the outcome in one transaction, or large data in several, each with another lease; writes
   * nothing once the claim is no longer valid. Another process takes over an interrupted sync.
   */
  private async settle(claim: Claim, pulled: Pulled, ending?: AbortSignal): Promise<Connection | undefined> {
    const slices = new Slices();
    const counts = { created: 0, updated: 0, cancelled: 0, unchanged: 0 };
    while (!ending?.aborted) {
      const { connection, next } = await slices.next((most) =>
        this.database.transaction(claim.orgId, () => this.write(claim, pulled, counts, most)),
      );
      if (!next) return connection;
      Object.assign(claim, next);
    }
    await this.claims.release(claim);
    return undefined;
  }

  /** @returns the claim for the rest, if the response was too large for one transaction. */
  private async write(
    claim: Claim,
    pulled: Pulled,
    counts: SyncCounts,
    most: number,
  ): Promise<{ connection?: Connection; next?: Claim }> {
    const connection = await this.connections.ofClaim(claim, 'for no key update');
    if (!connection) return {};
    if (pulled.outcome === 'pulled') {
      const { left, ...applied } = await pulled.apply(syncCaller(connection), most);
      for (const name of Object.keys(counts) as (keyof SyncCounts)[]) counts[name] += applied[name];
      const { startedAt } = connection.currentSync as SyncProgress;
      if (left) return { next: await this.connections.progress(claim, { startedAt, left, ...counts }) };
    }
    const noted =
      pulled.outcome === 'failed'
        ? failed(connection, pulled.reason)
        : afterSync(connection, counts, this.pulls(connection));
    const ended = { syncLeaseUntil: null, currentSync: null, ...this.askedAgain(connection) };
    const before = await this.connections.update(connection, { ...noted, ...ended });
    const happened = pulled.outcome === 'failed' ? connectionSyncFailed : connectionSynced;
    this.events.record({ orgId: claim.orgId }, happened, connection, before);
    return { connection };
  }

  private pulls({ provider, kind }: Connection): boolean {
    return this.providers.choose(provider, kind).pulls;
  }

  /** Another sync that was asked for during this one follows it. */
  private askedAgain({ nextSyncAt, currentSync }: Connection): Pick<Connection, 'nextSyncAt'> | undefined {
    const isAsked =
      nextSyncAt && currentSync && nextSyncAt > currentSync.startedAt && Date.parse(nextSyncAt) <= Date.now();
    if (!isAsked) return undefined;
    this.claims.becomesDue(nextSyncAt);
    return { nextSyncAt };
  }
}
