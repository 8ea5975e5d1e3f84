import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { randomBase62 } from '#regions';
import { Keyring } from '#secrets';
import { BrowserCookies } from './browser-cookies.js';

const name = 'device';
const form = /^[0-9A-Za-z]{43}\.\d{13}\.[\w-]{43}$/;
const worksForMs = 180 * 86_400_000;

/** The device's owner, with the hash of their current password and whether they have a second factor. */
export interface DeviceOwner {
  id: string;
  passwordHash: string | null;
  hasSecondFactor: boolean;
}

/**
 * Marks a browser in which somebody has signed in, so that wrong passwords from elsewhere do not keep them out. It
 * proves nothing: an attacker who has it may guess in a separate budget, as slowly as everybody else. The signature
 * covers the person, the hash of their password and whether they have a second factor, so the cookie is worthless for other
 * people, after a password change, and where it was given for a password only and a second factor is needed by now: who
 * has stolen a password could collect any number of budgets for guessing codes.
 */
@Injectable()
export class DeviceCookie {
  constructor(
    private readonly cookies: BrowserCookies,
    private readonly keyring: Keyring,
  ) {}

  /** The device's id, if the person has signed in there within 180 days. */
  known(request: Request, owner: DeviceOwner | undefined): string | undefined {
    return this.idIn(this.read(request), owner);
  }

  read(request: Request): string | undefined {
    return this.cookies.read(request, name, form);
  }

  /** Whether a cookie that was read earlier marks a device of this person. */
  isOf(value: string, owner: DeviceOwner | undefined): boolean {
    return this.idIn(value, owner) !== undefined;
  }

  private idIn(value: string | undefined, owner: DeviceOwner | undefined): string | undefined {
    if (!value || !owner) return undefined;
    const [id = '', signedInAt = '', signature = ''] = value.split('.');
    if (Date.now() - Number(signedInAt) >= worksForMs) return undefined;
    const isOurs = this.keys().some((key) => isSame(signatureOf(key, owner, id, signedInAt), signature));
    return isOurs ? id : undefined;
  }

  /** Marks the device as known after a sign-in. It keeps its id, and therefore its budget. */
  renew(request: Request, response: Response, owner: DeviceOwner): void {
    const id = this.known(request, owner) ?? randomBase62();
    const signedInAt = String(Date.now());
    const signature = signatureOf(this.keyring.derive('device cookie'), owner, id, signedInAt);
    this.cookies.write(response, name, `${id}.${signedInAt}.${signature}`, worksForMs);
  }

  private keys(): KeyObject[] {
    return this.keyring.deriveAll('device cookie');
  }
}

function signatureOf(key: KeyObject, owner: DeviceOwner, id: string, at: string): string {
  const given = [owner.id, owner.passwordHash, id, at, ...(owner.hasSecondFactor ? ['second factor'] : [])];
  return createHmac('sha256', key).update(JSON.stringify(given)).digest('base64url');
}

const isSame = (expected: string, given: string): boolean => timingSafeEqual(Buffer.from(expected), Buffer.from(given));
