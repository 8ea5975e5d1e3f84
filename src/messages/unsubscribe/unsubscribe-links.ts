import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import type { Config } from '../../app.config.js';
import { CONFIG } from '../../app.config.js';

const uuidBytes = 16;
const macBytes = 16;
const ids = { org: idColumn('org'), message: idColumn('message') };

/** Links by which whoever got a message asks for no more of its kind. They name the message, and no address. */
@Injectable()
export class UnsubscribeLinks {
  constructor(
    private readonly keyring: Keyring,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  urlFor(orgId: string, messageId: string): string {
    const named = Buffer.from(uuidIn(orgId) + uuidIn(messageId), 'hex');
    const token = Buffer.concat([named, macOf(named, this.keyring.derive('unsubscribe'))]);
    return `${this.config.baseUrl}/unsubscribe/${token.toString('base64url')}`;
  }

  /** What a link is about; undefined for one that is not ours. */
  read(token: string): { orgId: string; messageId: string } | undefined {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== 2 * uuidBytes + macBytes) return undefined;
    const [named, mac] = [bytes.subarray(0, 2 * uuidBytes), bytes.subarray(2 * uuidBytes)];
    const isOurs = this.keyring.deriveAll('unsubscribe').some((key) => timingSafeEqual(macOf(named, key), mac));
    if (!isOurs) return undefined;
    const [orgId, messageId] = [named.subarray(0, uuidBytes), named.subarray(uuidBytes)];
    return {
      orgId: ids.org.from(orgId.toString('hex')) as string,
      messageId: ids.message.from(messageId.toString('hex')) as string,
    };
  }
}

const macOf = (named: Buffer, key: KeyObject): Buffer =>
  createHmac('sha256', key).update(named).digest().subarray(0, macBytes);
