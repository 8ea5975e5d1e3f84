import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import type { EndedAccess, Named } from './access-endings.service.js';
import { mostSealedBytes, SealedCookies } from './sealed-cookies.js';

const name = 'ended';
const keptMs = 10 * 60_000;

/** Carries what a password reset ended to the sign-in page that follows, because nobody is signed in by then. */
@Injectable()
export class EndedCookie {
  constructor(private readonly cookies: SealedCookies) {}

  keep(response: Response, ended: EndedAccess): void {
    this.cookies.keep(response, name, fitting(ended), keptMs);
  }

  /** Read once, so the list is shown once. */
  take(request: Request, response: Response): EndedAccess | undefined {
    return this.cookies.take(request, response, name);
  }
}

/** Includes as many names as fit; the letter lists all of them. */
function fitting(ended: EndedAccess): EndedAccess {
  const left = { bytes: mostSealedBytes };
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
