import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import type { EndedAccess, Named } from './access-endings.service.js';
import { BrowserCookies } from './browser-cookies.js';

const name = 'ended';
const form = /^[\w-]{1,3900}$/;
const keptMs = 10 * 60_000;
/** Browsers keep cookies of 4,096 bytes; sealed and encoded these become a third longer. */
const mostBytes = 2_400;

/** What ended with a password that was set by a mailed link, for the sign-in page that follows: nobody is signed in. */
@Injectable()
export class EndedCookie {
  constructor(
    private readonly cookies: BrowserCookies,
    private readonly keyring: Keyring,
  ) {}

  keep(response: Response, ended: EndedAccess): void {
    const sealed = this.keyring.seal(JSON.stringify(fitting(ended)), name).toString('base64url');
    this.cookies.write(response, name, sealed, keptMs);
  }

  /** Shown once. */
  take(request: Request, response: Response): EndedAccess | undefined {
    const sealed = this.cookies.read(request, name, form);
    if (!sealed) return undefined;
    this.cookies.clear(response, name);
    try {
      return JSON.parse(this.keyring.open(Buffer.from(sealed, 'base64url'), name)) as EndedAccess;
    } catch {
      return undefined;
    }
  }
}

/** With as many of the names as fit; the letter has them all. */
function fitting(ended: EndedAccess): EndedAccess {
  const left = { bytes: mostBytes };
  return {
    ...ended,
    keptKeys: firstOf(ended.keptKeys, left),
    applications: firstOf(ended.applications, left),
    keys: firstOf(ended.keys, left),
  };
}

function firstOf(named: readonly Named[], left: { bytes: number }): Named[] {
  const rest = named.findIndex((one) => (left.bytes -= Buffer.byteLength(JSON.stringify(one))) < 0);
  return named.slice(0, rest === -1 ? undefined : rest);
}
