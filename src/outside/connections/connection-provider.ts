import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { invalidField } from '#errors';
import type { ConnectionDetails, ConnectionKind, Credentials, SyncCounts } from './connection.dto.js';
import type { Connection } from './connection.entity.js';

/** A connection with the credentials and settings that its provider is called with. */
export interface Account<Settings> {
  connection: Connection;
  settings: Settings;
  credentials: Credentials;
}

/** The result of a call to a provider: data to apply, or a sentence that explains the failure. */
export type Pulled = { outcome: 'pulled'; apply: Apply } | { outcome: 'failed'; reason: string };

/**
 * Applies the data, or the next part of it: called again, in another transaction, as long as records are left.
 *
 * @param most the approximate number of records in a part.
 */
export type Apply = (caller: Caller, most: number) => Promise<SyncCounts & { left?: number }>;

/** How a connection ends. */
export interface Ending {
  force: boolean;
  /** What happens to the stays that it imported. */
  stays: 'keep' | 'cancel';
  /** How many of them about are dealt with in the current transaction. */
  most: number;
}

/** Another system, as connections see it. Each adapter extends this and registers itself. Adapters never throw. */
export abstract class ConnectionProvider<Settings extends object = object> {
  abstract readonly provider: string;
  abstract readonly kind: ConnectionKind;
  /** Reads and checks `settings`. */
  abstract readonly settings: new () => Settings;
  /** Whether we call it; otherwise the other system writes to us. */
  readonly pulls: boolean = true;
  /** It runs in this process and makes no outbound calls, so it is synced before createConnection responds. */
  abstract readonly isInProcess: boolean;

  /**
   * Rejects settings that their class accepts but that make no sense. Runs in the transaction of the write, so it makes
   * no outbound calls.
   *
   * @returns the property that the connection is for, or null if it is not limited to one.
   */
  abstract check(caller: Caller, settings: Settings): Promise<string | null>;

  /**
   * Calls the other system while no transaction is open. The response is applied in the transaction that records the
   * sync, and in others before it if it is large.
   */
  abstract pull(account: Account<Settings>): Promise<Pulled>;

  /**
   * Hands the records of the connection over to us, in the transaction that disconnects it, and in further ones if
   * there are many.
   *
   * @returns whether something is left.
   * @throws conflict_error naming what would be left behind or cancelled, unless it is forced.
   */
  abstract release(caller: Caller, connection: Connection, ending: Ending): Promise<boolean>;

  /** Additional fields for getConnection, under the names of the view. */
  describe(_account: Account<Settings>): Promise<ConnectionDetails> {
    return Promise.resolve({});
  }
}

/** Features register their providers here. */
@Injectable()
export class ConnectionProviders {
  private readonly known: ConnectionProvider[] = [];

  register(provider: ConnectionProvider): void {
    this.known.push(provider);
  }

  /** @throws validation_error listing the choices. */
  choose(provider: string, kind: ConnectionKind): ConnectionProvider {
    const ofName = this.known.filter((known) => known.provider === provider);
    if (ofName.length === 0) throw invalidField(['provider'], oneOf(this.known.map((known) => known.provider)));
    const found = ofName.find((known) => known.kind === kind);
    if (!found) throw invalidField(['kind'], oneOf(ofName.map((known) => known.kind)));
    return found;
  }
}

const oneOf = (choices: string[]): string => `Choose one of: ${[...new Set(choices)].sort().join(', ')}.`;
