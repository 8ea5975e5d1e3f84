import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '#errors';
import {
  type Fields,
  formTokenField,
  formTokenOf,
  FormsService,
  nonceField,
} from '../../platform/pages/forms.service.js';
import { returnPath } from '../../platform/pages/see-other.js';
import { DeviceCookie, type DeviceOwner } from './device-cookie.js';
import { mostSealedBytes, SealedCookies } from './sealed-cookies.js';
import { SessionCookie } from './session-cookie.js';

/** A form that was sent after the session had ended, or before the person confirmed who they are. */
export interface Held {
  /** Where it was sent to. */
  action: string;
  /** The page with the form. */
  page: string;
  fields: Fields;
}

const name = 'held';
const keptMs = 30 * 60_000;
/** Fields that are not kept and have to be typed again. */
const secrets = /password|code|answer|secret|token|api_?key/i;

/**
 * Keeps a form that could not be processed yet, in a sealed cookie, and gives it back to the same person in the same
 * browser: after the sign-in where the session had ended, or after the confirmation that a sensitive form asks for.
 */
@Injectable()
export class HeldForm {
  constructor(
    private readonly forms: FormsService,
    private readonly cookies: SealedCookies,
    private readonly session: SessionCookie,
    private readonly devices: DeviceCookie,
  ) {}

  /** @returns where the sign-in is to lead; undefined if the form is not one that we gave to this browser. */
  async keep(request: Request): Promise<string | undefined> {
    const secret = this.session.read(request);
    if (!secret || !this.devices.read(request)) return undefined;
    try {
      const sent = await this.forms.read(request, { formToken: formTokenOf(secret) });
      return this.hold(request, sent, pageOf(request));
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) return undefined;
      throw error;
    }
  }

  /**
   * The same for a form that was read already.
   *
   * @param page that has the form.
   */
  hold(request: Request, sent: Fields, page: string): string {
    const device = this.devices.read(request);
    // It comes back as a new form, with a token and a nonce of its own.
    const { [formTokenField]: _token, [nonceField]: _nonce, ...fields } = sent;
    const kept = { action: request.originalUrl, page, fields, device };
    const isTooLong = Buffer.byteLength(JSON.stringify(kept)) > mostSealedBytes;
    if (!device || isTooLong || Object.keys(fields).some((field) => secrets.test(field))) return page;
    this.cookies.keep(request.res as Response, name, kept, keptMs);
    return '/resume';
  }

  /** Once, and only for the person who had sent it. */
  take(request: Request, response: Response, owner: DeviceOwner | undefined): Held | undefined {
    const kept = this.cookies.take<Held & { device: string }>(request, response, name);
    if (!kept) return undefined;
    const { device, ...held } = kept;
    return this.devices.isOf(device, owner) ? held : undefined;
  }
}

/** Browsers name it for forms of the same origin. */
function pageOf({ headers }: Request): string {
  const referer = headers.referer ?? '';
  return returnPath(URL.canParse(referer) ? new URL(referer).pathname + new URL(referer).search : undefined);
}
