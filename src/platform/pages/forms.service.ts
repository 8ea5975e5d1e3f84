import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, invalidField } from '#errors';
import type { Config } from '../config/app.config.js';
import { CONFIG } from '../config/app.config.js';
import { readBytes } from '../http/json-body.js';
import { checkText } from '../http/json-text.js';

/** The names of the hidden fields. */
export const formTokenField = 'form_token';
export const nonceField = 'nonce';

/** A new one for each form that is shown, with the moment of that in front. */
export const newNonce = (): string => `${Date.now().toString(36)}.${randomUUID()}`;

/** When a form was shown; now for a nonce that is not ours. A submission that is sent again reads the same time. */
export function shownAt({ [nonceField]: nonce = '' }: Fields): number {
  const at = parseInt(/^[0-9a-z]{8}(?=\.)/.exec(nonce)?.[0] ?? '', 36);
  return at <= Date.now() ? at : Date.now();
}

/**
 * The idempotency key of a submission: the same when a browser sends it again, and another when the person has gone back
 * and typed something else. Undefined for a form that was not ours.
 */
export function submissionKey({ [nonceField]: nonce = '', [formTokenField]: _, ...typed }: Fields): string | undefined {
  if (!/^[\w.-]{1,80}$/.test(nonce)) return undefined;
  const text = JSON.stringify(Object.entries(typed).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${nonce}.${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}

/** The person a form was created for: somebody signed in, or a visitor. */
export interface FormOwner {
  readonly formToken: string;
}

export type Fields = Readonly<Record<string, string | undefined>>;

const maxFormBytes = 65_536;

/** Derived from the secret in the browser's cookie, so that another site can neither read nor guess it. */
export const formTokenOf = (cookie: string): string =>
  createHmac('sha256', cookie).update('form token').digest('base64url');

/** Reads a submitted form, after verifying that it is one of ours. */
@Injectable()
export class FormsService {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * The fields of the form; files are not accepted. Each name may occur once, unless the form has lists: their values are
   * joined with commas.
   *
   * @throws authorization_error if the form was sent from another site or created for another session.
   */
  async read(request: Request, owner: FormOwner, hasLists = false): Promise<Fields> {
    this.refuseOtherSites(request);
    const fields = parse(await readText(request), hasLists);
    const token = Buffer.from(fields[formTokenField] ?? '');
    const expected = Buffer.from(owner.formToken);
    if (token.length !== expected.length || !timingSafeEqual(token, expected)) throw staleForm();
    return fields;
  }

  /** Browsers send the origin of a form; other clients send nothing and still need the token. */
  private refuseOtherSites({ headers }: Request): void {
    const site = headers['sec-fetch-site'];
    const isForeign = headers.origin !== undefined && headers.origin !== this.config.baseUrl;
    if (isForeign || (site !== undefined && site !== 'same-origin')) {
      throw forbidden('This form was sent from another site. Open the page itself and try again.');
    }
  }
}

const staleForm = () =>
  forbidden(
    'This page was opened before you signed in or out, or it has expired. Go back, reload the page and try again.',
  );

async function readText(request: Request): Promise<string> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw invalidField([], 'Send this as a form: application/x-www-form-urlencoded.');
  }
  return (await readBytes(request, maxFormBytes)).toString('utf8');
}

/** @throws validation_error for a repeated name or text that no field may contain. */
function parse(text: string, hasLists: boolean): Fields {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields && !hasLists) throw invalidField([name], 'A field of this form was sent twice.');
    checkText(name);
    checkText(value);
    fields[name] = name in fields ? `${fields[name]},${value}` : value;
  }
  return fields;
}
