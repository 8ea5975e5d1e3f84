import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';

/**
 * Distinguishes what the service wrote from what somebody without the keyring wrote into its database (HMAC-SHA-256).
 */
@Injectable()
export class AuditSignatures {
  /** Newest first. */
  private readonly keys: KeyObject[];

  constructor(keyring: Keyring) {
    this.keys = keyring.deriveAll('audit');
  }

  sign(orgId: string, text: string): Buffer {
    return signature(this.keys[0] as KeyObject, orgId, text);
  }

  isValid(given: Buffer, orgId: string, text: string): boolean {
    return this.keys.some((key) => {
      const expected = signature(key, orgId, text);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}

const signature = (key: KeyObject, orgId: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${orgId}\n${text}`).digest();
