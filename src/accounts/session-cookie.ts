import type { Request, Response } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { randomBase62 } from '#regions';
import type { Config } from '../app.config.js';
import { CONFIG } from '../app.config.js';
import { formTokenOf, type FormOwner } from '../pages/forms.service.js';

/**
 * The browser's side of a session: a random secret in a cookie that no script reads and no other site sends with a
 * form. Where BASE_URL is https the name begins with `__Host-`, which browsers take from this host alone (RFC 6265bis).
 */
@Injectable()
export class SessionCookie {
  private readonly isSecure: boolean;
  private readonly names: { session: string; visitor: string };

  constructor(@Inject(CONFIG) { baseUrl }: Config) {
    this.isSecure = baseUrl.startsWith('https:');
    const prefix = this.isSecure ? '__Host-' : '';
    this.names = { session: `${prefix}session`, visitor: `${prefix}visitor` };
  }

  read(request: Request): string | undefined {
    return valueOf(request, this.names.session);
  }

  /** Puts a new secret into the browser; the one it had is worth nothing from here on. */
  renew(response: Response): string {
    const secret = randomBase62();
    this.write(response, this.names.session, secret);
    return secret;
  }

  clear(response: Response): void {
    response.clearCookie(this.names.session, this.attributes);
  }

  /** Whoever has no session yet gets a cookie too, so that the sign-in form belongs to this browser. */
  visitor(request: Request, response: Response): FormOwner {
    const known = valueOf(request, this.names.visitor);
    if (known) return { formToken: formTokenOf(known) };
    const secret = randomBase62();
    this.write(response, this.names.visitor, secret);
    return { formToken: formTokenOf(secret) };
  }

  private write(response: Response, name: string, value: string): void {
    response.cookie(name, value, this.attributes);
  }

  private get attributes() {
    return { httpOnly: true, sameSite: 'lax', secure: this.isSecure, path: '/' } as const;
  }
}

/** Cookies that are not ours, and malformed ones, are none of our business. */
function valueOf({ headers }: Request, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value && /^[0-9A-Za-z]{43}$/.test(value)) return value;
  }
  return undefined;
}
