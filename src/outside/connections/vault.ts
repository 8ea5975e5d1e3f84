import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import type { Credentials } from './connection.dto.js';
import type { Connection } from './connection.entity.js';

/** Connection credentials, each sealed for its row: copied to another row they cannot be opened. */
@Injectable()
export class Vault {
  constructor(private readonly keyring: Keyring) {}

  seal(connectionId: string, credentials: Credentials): Buffer {
    return this.keyring.seal(JSON.stringify(credentials), contextOf(connectionId));
  }

  open({ id, credentials }: Connection): Credentials {
    return credentials ? (JSON.parse(this.keyring.open(credentials, contextOf(id))) as Credentials) : {};
  }
}

const contextOf = (connectionId: string): string => `connection:${connectionId}`;
