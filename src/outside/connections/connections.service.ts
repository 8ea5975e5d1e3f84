import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { type Page, readInput } from '#operations';
import { isSameValue, newId, TenantDatabase } from '#persistence';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { Quotas } from '../../tenancy/quotas/quotas.service.js';
import { disconnected, dueNow, failed, ready, succeeded } from './connection-states.js';
import type { ConnectionProvider } from './connection-provider.js';
import { ConnectionProviders } from './connection-provider.js';
import { ConnectedPlaces } from './connected-places.js';
import { ConnectionAccounts } from './connection-accounts.js';
import type {
  ConnectionDetails,
  CreateConnection,
  Credentials,
  DisconnectConnection,
  ListConnections,
  ThisConnection,
  UpdateConnection,
} from './connection.dto.js';
import { Connection } from './connection.entity.js';
import { connectionIsOver, connectionNeedsAProperty, staysAreKept } from './connections.errors.js';
import { connectionNotFound } from '../../tenancy/references/references.errors.js';
import {
  connectionCreated,
  connectionDisconnected,
  type ConnectionEventData,
  connectionTested,
  connectionUpdated,
} from './connections.events.js';
import { ConnectionsRepository } from './connections.repository.js';
import { HandOvers } from './hand-overs.service.js';
import { SyncsService } from './syncs.service.js';
import { Vault } from './vault.js';

@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly places: ConnectedPlaces,
    private readonly properties: PropertiesService,
    private readonly providers: ConnectionProviders,
    private readonly syncs: SyncsService,
    private readonly handOvers: HandOvers,
    private readonly accounts: ConnectionAccounts,
    private readonly vault: Vault,
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
    private readonly quotas: Quotas,
  ) {}

  async list(caller: Caller, input: ListConnections): Promise<Page<Connection>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.connections.list(caller, input);
  }

  async get(caller: Caller, input: ThisConnection): Promise<Connection & ConnectionDetails> {
    const connection = await this.find(caller, input);
    const provider = this.providers.choose(connection.provider, connection.kind);
    return Object.assign(connection, await provider.describe(this.accounts.open(connection)));
  }

  /**
   * Connections with outbound calls are synced by the timer moments later, because no transaction may be open during a
   * call.
   */
  async create(caller: Caller, { settings = {}, credentials = {}, ...input }: CreateConnection): Promise<Connection> {
    const provider = this.providers.choose(input.provider, input.kind);
    const checked = await this.check(caller, provider, settings);
    // In this order, because an import locks properties while it holds the lock of the quota.
    await this.quotas.admit(caller, 'connections');
    if (checked.propertyId) await this.places.keep(caller, checked.propertyId);
    const now = new Date().toISOString();
    const id = newId('connection');
    const connection = await this.connections.insert(
      Object.assign(new Connection(), {
        ...input,
        ...checked,
        ...(provider.pulls ? dueNow() : ready),
        orgId: caller.orgId,
        id,
        createdBy: caller.memberId,
        credentials: this.vault.seal(id, credentials),
        lastSyncAt: null,
        lastSync: null,
        currentSync: null,
        sourceVersions: null,
        errors: [],
        syncs: 0,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }),
    );
    this.events.record(caller, connectionCreated, connection);
    return provider.isInProcess ? await this.syncs.runNew(connection) : connection;
  }

  /** New settings or credentials are tried immediately; a sync in progress with the old ones is discarded. */
  async update(caller: Caller, { connectionId, name, settings, credentials }: UpdateConnection): Promise<Connection> {
    const connection = await this.forChange(caller, connectionId);
    const provider = this.providers.choose(connection.provider, connection.kind);
    const checked = settings && (await this.check(caller, provider, settings));
    const hasOther = {
      settings: checked && !isSameValue(connection.settings, checked.settings),
      credentials: credentials && !isSameValue(this.vault.open(connection), credentials),
    };
    const changes = {
      ...(name !== undefined && { name }),
      ...checked,
      ...(hasOther.credentials && { credentials: this.vault.seal(connectionId, credentials as Credentials) }),
      ...((hasOther.settings || hasOther.credentials) && provider.pulls && dueNow()),
    };
    return await this.write(caller, connection, changes, connectionUpdated);
  }

  /** Calls the provider and records whether it responds, without applying the response. */
  async test(caller: Caller, input: ThisConnection): Promise<Connection> {
    const connection = await this.usable(caller, input);
    if (this.database.isRehearsing) return connection;
    const pulled = await this.syncs.pull(connection);
    return await this.database.transaction(caller.orgId, async () => {
      const current = await this.forChange(caller, connection.id);
      const { nextSyncAt } = current;
      const noted = pulled.outcome === 'failed' ? { ...failed(current, pulled.reason), nextSyncAt } : succeeded;
      return await this.write(caller, current, noted, connectionTested);
    });
  }

  async sync(caller: Caller, input: ThisConnection): Promise<Connection> {
    const connection = await this.usable(caller, input);
    return this.database.isRehearsing ? connection : await this.syncs.request(connection);
  }

  async disconnect(caller: Caller, input: DisconnectConnection): Promise<Connection> {
    const { connectionId, force = false, stays = 'keep' } = input;
    const connection = await this.connections.find(caller, connectionId, 'for no key update');
    if (!connection) throw connectionNotFound();
    expectVersion(caller, connection);
    if (connection.status === 'disconnected') return connection;
    const provider = this.providers.choose(connection.provider, connection.kind);
    if (stays === 'cancel' && provider.pulls) throw staysAreKept();
    await this.handOvers.begin(caller, connection, { force, stays });
    return await this.write(caller, connection, disconnected, connectionDisconnected);
  }

  private async write(
    caller: Caller,
    connection: Connection,
    changes: Partial<Connection>,
    happened: ChangeType<ConnectionEventData>,
  ): Promise<Connection> {
    const before = await this.connections.update(connection, changes);
    this.events.record(caller, happened, connection, before);
    return connection;
  }

  private async check(caller: Caller, provider: ConnectionProvider, raw: object) {
    const settings = readInput(provider.settings, raw, [], ['settings']);
    const propertyId = await provider.check(caller, settings);
    if (caller.propertyIds && !propertyId) throw connectionNeedsAProperty();
    return { settings: { ...settings } as Record<string, unknown>, propertyId };
  }

  private async find(caller: Caller, { connectionId }: ThisConnection): Promise<Connection> {
    const connection = await this.connections.find(caller, connectionId);
    if (!connection) throw connectionNotFound();
    return connection;
  }

  private async usable(caller: Caller, input: ThisConnection): Promise<Connection> {
    const connection = await this.find(caller, input);
    if (connection.status === 'disconnected') throw connectionIsOver();
    expectVersion(caller, connection);
    return connection;
  }

  private async forChange(caller: Caller, connectionId: string): Promise<Connection> {
    const connection = await this.connections.find(caller, connectionId, 'for no key update');
    if (!connection) throw connectionNotFound();
    if (connection.status === 'disconnected') throw connectionIsOver();
    expectVersion(caller, connection);
    return connection;
  }
}
