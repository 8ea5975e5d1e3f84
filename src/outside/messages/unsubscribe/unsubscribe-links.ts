import { Inject, Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import type { Config } from '../../../platform/config/app.config.js';
import { CONFIG } from '../../../platform/config/app.config.js';

const uuidBytes = 16;
const orgIds = idColumn('org');

/**
 * Links by which the recipient of a letter unsubscribes from its kind. Each contains the sealed address that its letter
 * went to, so it works as long as somebody keeps the letter, even after the message or the guest is gone.
 */
@Injectable()
export class UnsubscribeLinks {
  constructor(
    private readonly keyring: Keyring,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  urlWith(token: string): string {
    return `${this.config.baseUrl}/unsubscribe/${token}`;
  }

  tokenFor(orgId: string, email: string): string {
    const sealed = this.keyring.seal(email, contextOf(orgId));
    return Buffer.concat([Buffer.from(uuidIn(orgId), 'hex'), sealed]).toString('base64url');
  }

  /** The content of a token; undefined for one that is not ours. */
  read(token: string): { orgId: string; email: string } | undefined {
    const bytes = Buffer.from(token, 'base64url');
    const orgId = orgIds.from(bytes.toString('hex', 0, uuidBytes)) as string;
    try {
      return { orgId, email: this.keyring.open(bytes.subarray(uuidBytes), contextOf(orgId)) };
    } catch {
      return undefined;
    }
  }
}

const contextOf = (orgId: string): string => `unsubscribe ${orgId}`;
