import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, invalidField } from '#errors';
import type { Config } from '../config/app.config.js';
import { CONFIG } from '../config/app.config.js';
import { readBytes } from '../http/json-body.js';
import { checkText } from '../http/json-text.js';

/** The name of the hidden field. */
export const formTokenField = 'form_token';

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
   * The fields of the form. Each name may occur once; files are not accepted.
   *
   * @throws authorization_error if the form was sent from another site or created for another session.
   */
  async read(request: Request, owner: FormOwner): Promise<Fields> {
    this.refuseOtherSites(request);
    const fields = parse(await readText(request));
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
  forbidden('This page was opened before you signed in or out, or it has expired. Go back, reload it and try again.');

async function readText(request: Request): Promise<string> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw invalidField([], 'Send this as a form: application/x-www-form-urlencoded.');
  }
  return (await readBytes(request, maxFormBytes)).toString('utf8');
}

/** @throws validation_error for a repeated name or text that no field may contain. */
function parse(text: string): Fields {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields) throw invalidField([name], 'A field of this form was sent twice.');
    checkText(name);
    checkText(value);
    fields[name] = value;
  }
  return fields;
}
