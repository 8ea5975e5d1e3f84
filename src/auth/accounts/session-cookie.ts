import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { randomBase62 } from '#regions';
import { formTokenOf, type FormOwner } from '../../platform/pages/forms.service.js';
import { BrowserCookies } from './browser-cookies.js';

const form = /^[0-9A-Za-z]{43}$/;

/** The browser's side of a session: a random secret. */
@Injectable()
export class SessionCookie {
  constructor(private readonly cookies: BrowserCookies) {}

  read(request: Request): string | undefined {
    return this.cookies.read(request, 'session', form);
  }

  /** Sets a new secret in the browser and makes the old one worthless. */
  renew(response: Response): string {
    const secret = randomBase62();
    this.cookies.write(response, 'session', secret);
    return secret;
  }

  clear(response: Response): void {
    this.cookies.clear(response, 'session');
  }

  /** A visitor without a session gets a cookie too, which ties the sign-in form to this browser. */
  visitor(request: Request, response: Response): FormOwner {
    const known = this.cookies.read(request, 'visitor', form);
    if (known) return { formToken: formTokenOf(known) };
    const secret = randomBase62();
    this.cookies.write(response, 'visitor', secret);
    return { formToken: formTokenOf(secret) };
  }
}
