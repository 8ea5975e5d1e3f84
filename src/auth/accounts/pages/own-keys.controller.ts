import type { Request } from 'express';
import { Post, Req } from '@nestjs/common';
import { apiKeyNotFound } from '../../api-keys/api-keys.errors.js';
import { revokeApiKey } from '../../api-keys/api-keys.operations.js';
import { type PersonKey, PersonKeys } from '../../api-keys/person-keys.service.js';
import { traceOf } from '../../../platform/audit/act.js';
import type { Fields } from '../../../platform/pages/forms.service.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { SeeOther } from '../../../platform/pages/see-other.js';
import { SensitiveForms } from '../sensitive-forms.service.js';

const path = '/account/security';

/** Revokes API keys that a person created, from the security page. */
@PageController()
export class OwnKeysController {
  constructor(
    private readonly forms: SensitiveForms,
    private readonly keys: PersonKeys,
  ) {}

  @Post('account/security/keys/revoke')
  async revoke(@Req() request: Request): Promise<void> {
    const revoked = await this.revokeChosen(
      request,
      ({ key_id: keyId }) =>
        ({ id }) =>
          id === keyId,
    );
    if (revoked === 0) throw apiKeyNotFound();
    throw new SeeOther(`${path}?done=key`);
  }

  @Post('account/security/keys/revoke-all')
  async revokeAll(@Req() request: Request): Promise<void> {
    await this.revokeChosen(
      request,
      ({ created_before: last = '' }) =>
        ({ createdAt }) =>
          createdAt <= last,
    );
    throw new SeeOther(`${path}?done=keys`);
  }

  private async revokeChosen(request: Request, choice: (fields: Fields) => (key: PersonKey) => boolean) {
    const { signedIn, fields } = await this.forms.read(request, { page: path });
    const { userId } = signedIn;
    const act = {
      action: revokeApiKey.name,
      actor: { type: 'user' as const, id: userId },
      ...traceOf(request.context),
    };
    return await this.keys.revoke(userId, act, choice(fields));
  }
}
