import { Injectable } from '@nestjs/common';
import type { Account } from './connection-provider.js';
import type { Connection } from './connection.entity.js';
import { ConnectionsRepository } from './connections.repository.js';
import { Vault } from './vault.js';

/** Connections with their credentials unsealed, only while a provider is called. */
@Injectable()
export class ConnectionAccounts {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly vault: Vault,
  ) {}

  open(connection: Connection): Account<object> {
    return { connection, settings: connection.settings, credentials: this.vault.open(connection) };
  }

  /** For work outside a request; undefined if the connection has ended. */
  async of(orgId: string, connectionId: string): Promise<Account<object> | undefined> {
    const connection = await this.connections.findAny(orgId, connectionId);
    return connection && connection.status !== 'disconnected' ? this.open(connection) : undefined;
  }

  /** Call this when something shows that the connection's status differs from its last sync. */
  async syncSoon(orgId: string, connectionId: string): Promise<void> {
    await this.connections.makeDue(orgId, connectionId);
  }
}
