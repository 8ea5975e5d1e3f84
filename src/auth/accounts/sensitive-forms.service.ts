import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { type Fields, FormsService } from '../../platform/pages/forms.service.js';
import type { SignedIn } from './session.js';
import { SessionsService } from './sessions.service.js';

interface Sensitive {
  /** The page that has the form. */
  readonly page: string | ((fields: Fields) => string);
  /** If people who have a second factor must have used it. */
  readonly factor?: 'factor';
}

/** Reads the forms of sensitive changes. Nothing is lost of one whose person has to confirm who they are first. */
@Injectable()
export class SensitiveForms {
  constructor(
    private readonly sessions: SessionsService,
    private readonly forms: FormsService,
  ) {}

  /**
   * @throws SeeOther to the sign-in or the confirmation, after which the person is asked whether to send the form;
   *   authorization_error if it was sent from another site or created for another session.
   */
  async read(request: Request, { page, factor }: Sensitive): Promise<{ signedIn: SignedIn; fields: Fields }> {
    const signedIn = await this.sessions.require(request);
    const fields = await this.forms.read(request, signedIn);
    const from = typeof page === 'string' ? page : page(fields);
    this.sessions.requireFreshFor(request, signedIn, { fields, page: from, ...(factor && { factor }) });
    return { signedIn, fields };
  }
}
