import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { invalidField } from '#errors';
import type { ConnectionDetails, ConnectionKind, Credentials, SyncCounts } from '../../connections/connection.dto.js';
import type { Connection } from './connection.entity.js';

/** A connection with what its provider needs to be asked. */
export interface Account<Settings> {
  connection: Connection;
  settings: Settings;
  credentials: Credentials;
}

/** What a provider answered: something that can be taken over, or a sentence why there is nothing. */
export type Pulled =
  | { outcome: 'pulled'; apply: (caller: Caller) => Promise<SyncCounts> }
  | { outcome: 'failed'; reason: string };

/** Another system, as connections see it. An adapter for each extends this and registers itself; none throws. */
export abstract class ConnectionProvider<Settings extends object = object> {
  abstract readonly provider: string;
  abstract readonly kind: ConnectionKind;
  /** Reads and checks `settings`. */
  abstract readonly settings: new () => Settings;
  /** It runs in this process and calls nobody, so it is synced before createConnection answers. */
  abstract readonly isInProcess: boolean;

  /**
   * Refuses settings that their class lets pass and that make no sense all the same. Runs in the transaction of the
   * write, so it calls nobody.
   *
   * @returns the property that the connection is for, null where it is for none in particular.
   */
  abstract check(caller: Caller, settings: Settings): Promise<string | null>;

  /** Asks the other system; no transaction is open. What it answers is applied in the transaction that notes the sync. */
  abstract pull(account: Account<Settings>): Promise<Pulled>;

  /**
   * Hands what the connection brought over to us, in the transaction that disconnects it.
   *
   * @param isForced whether that is done although something is left behind at the other system.
   * @throws conflict_error naming what would be left behind.
   */
  abstract release(connection: Connection, isForced: boolean): Promise<void>;

  /** What getConnection shows of it besides, under names of the view. */
  describe(_account: Account<Settings>): Promise<ConnectionDetails> {
    return Promise.resolve({});
  }
}

/** Features register the providers that they bring. */
@Injectable()
export class ConnectionProviders {
  private readonly known: ConnectionProvider[] = [];

  register(provider: ConnectionProvider): void {
    this.known.push(provider);
  }

  /** @throws validation_error naming the choices. */
  choose(provider: string, kind: ConnectionKind): ConnectionProvider {
    const ofName = this.known.filter((known) => known.provider === provider);
    if (ofName.length === 0) throw invalidField(['provider'], oneOf(this.known.map((known) => known.provider)));
    const found = ofName.find((known) => known.kind === kind);
    if (!found) throw invalidField(['kind'], oneOf(ofName.map((known) => known.kind)));
    return found;
  }
}

const oneOf = (choices: string[]): string => `Choose one of: ${[...new Set(choices)].sort().join(', ')}.`;
