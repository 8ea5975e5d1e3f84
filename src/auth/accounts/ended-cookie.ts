import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import type { EndedAccess, Named } from './access-endings.service.js';
import { BrowserCookies } from './browser-cookies.js';

const name = 'ended';
const form = /^[\w-]{1,3900}$/;
const keptMs = 10 * 60_000;
/** Browsers keep cookies of up to 4,096 bytes. Sealing and encoding add a third to the names. */
const mostBytes = 2_400;

/** Carries what a password reset ended to the sign-in page that follows, because nobody is signed in by then. */
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

  /** Read once, so the list is shown once. */
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

/** Includes as many names as fit; the letter lists all of them. */
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
