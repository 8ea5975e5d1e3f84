import type { Request, Response } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';

/**
 * Cookies that scripts cannot read and other sites cannot send with a form. Where BASE_URL is https, their names begin
 * with `__Host-`, which browsers accept from this host only (RFC 6265bis).
 */
@Injectable()
export class BrowserCookies {
  private readonly isSecure: boolean;

  constructor(@Inject(CONFIG) { baseUrl }: Config) {
    this.isSecure = baseUrl.startsWith('https:');
  }

  /** @param form the pattern of our values; others are ignored. */
  read({ headers }: Request, name: string, form: RegExp): string | undefined {
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [key, value] = pair.trim().split('=', 2);
      if (key === this.nameOf(name) && value && form.test(value)) return value;
    }
    return undefined;
  }

  /** @param maxAgeMs the cookie's lifetime; without it, the cookie lasts until the browser is closed. */
  write(response: Response, name: string, value: string, maxAgeMs?: number): void {
    response.cookie(this.nameOf(name), value, { ...this.attributes, ...(maxAgeMs && { maxAge: maxAgeMs }) });
  }

  clear(response: Response, name: string): void {
    response.clearCookie(this.nameOf(name), this.attributes);
  }

  private nameOf(name: string): string {
    return this.isSecure ? `__Host-${name}` : name;
  }

  private get attributes() {
    return { httpOnly: true, sameSite: 'lax', secure: this.isSecure, path: '/' } as const;
  }
}
