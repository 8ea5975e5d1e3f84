import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import { BrowserCookies } from './browser-cookies.js';

const form = /^[\w-]{1,3900}$/;

/** Browsers keep cookies of up to 4,096 bytes. Sealing and encoding add a third to the text. */
export const mostSealedBytes = 2_400;

/**
 * Values that a browser keeps for a while and returns once. Each contains the time until which it is valid, because a
 * browser may keep a cookie for longer than it was told to.
 */
@Injectable()
export class SealedCookies {
  constructor(
    private readonly cookies: BrowserCookies,
    private readonly keyring: Keyring,
  ) {}

  keep(response: Response, name: string, value: object, keptMs: number): void {
    const sealed = this.keyring.seal(JSON.stringify({ ...value, until: Date.now() + keptMs }), name);
    this.cookies.write(response, name, sealed.toString('base64url'), keptMs);
  }

  /** Undefined if the browser has none, or one that has expired or is not ours. */
  take<T extends object>(request: Request, response: Response, name: string): T | undefined {
    const sealed = this.cookies.read(request, name, form);
    if (!sealed) return undefined;
    this.cookies.clear(response, name);
    try {
      const { until, ...value } = JSON.parse(this.keyring.open(Buffer.from(sealed, 'base64url'), name)) as T & {
        until: number;
      };
      return Date.now() < until ? (value as unknown as T) : undefined;
    } catch {
      return undefined;
    }
  }
}
