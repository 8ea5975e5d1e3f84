import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '#errors';
import { Keyring } from '#secrets';
import {
  type Fields,
  formTokenField,
  formTokenOf,
  FormsService,
  nonceField,
} from '../../platform/pages/forms.service.js';
import { returnPath } from '../../platform/pages/see-other.js';
import { BrowserCookies } from './browser-cookies.js';
import { DeviceCookie, type DeviceOwner } from './device-cookie.js';
import { SessionCookie } from './session-cookie.js';

/** A form that was sent after the session had ended. */
export interface Held {
  /** Where it was sent to. */
  action: string;
  /** The page with the form. */
  page: string;
  fields: Fields;
}

const name = 'held';
const form = /^[\w-]{1,3900}$/;
const keptMs = 30 * 60_000;
/** Browsers keep cookies of up to 4,096 bytes. */
const mostBytes = 2_400;
/** Fields that are not kept and have to be typed again. */
const secrets = /password|code|answer|secret|token/i;

/**
 * Keeps a form that was sent after the session had ended, in a sealed cookie, and gives it back after the sign-in of the
 * same person in the same browser.
 */
@Injectable()
export class HeldForm {
  constructor(
    private readonly forms: FormsService,
    private readonly cookies: BrowserCookies,
    private readonly session: SessionCookie,
    private readonly devices: DeviceCookie,
    private readonly keyring: Keyring,
  ) {}

  /** @returns where the sign-in is to lead; undefined if the form is not one that we gave to this browser. */
  async keep(request: Request): Promise<string | undefined> {
    const secret = this.session.read(request);
    const device = this.devices.read(request);
    if (!secret || !device) return undefined;
    try {
      // It comes back as a new form, with a token and a nonce of its own.
      const {
        [formTokenField]: _token,
        [nonceField]: _nonce,
        ...sent
      } = await this.forms.read(request, { formToken: formTokenOf(secret) });
      const page = pageOf(request);
      const kept = JSON.stringify({ action: request.originalUrl, page, fields: sent, device });
      if (Object.keys(sent).some((field) => secrets.test(field)) || Buffer.byteLength(kept) > mostBytes) return page;
      const sealed = this.keyring.seal(kept, name).toString('base64url');
      this.cookies.write(request.res as Response, name, sealed, keptMs);
      return '/resume';
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) return undefined;
      throw error;
    }
  }

  /** Once, and only for the person who had sent it. */
  take(request: Request, response: Response, owner: DeviceOwner | undefined): Held | undefined {
    const sealed = this.cookies.read(request, name, form);
    if (!sealed) return undefined;
    this.cookies.clear(response, name);
    try {
      const { device, ...held } = JSON.parse(this.keyring.open(Buffer.from(sealed, 'base64url'), name)) as Held & {
        device: string;
      };
      return this.devices.isOf(device, owner) ? held : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Browsers name it for forms of the same origin. */
function pageOf({ headers }: Request): string {
  const referer = headers.referer ?? '';
  return returnPath(URL.canParse(referer) ? new URL(referer).pathname + new URL(referer).search : undefined);
}
