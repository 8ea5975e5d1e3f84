import { Inject, Injectable } from '@nestjs/common';
import { invalidField } from '#errors';
import { newApplicationId } from '#regions';
import { SystemDatabase } from '#system-database';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { ClientsRepository } from './clients.repository.js';
import { applyRegistrationRules } from './registration-rules.js';

/** Applications that operators create and vouch for, under the same rules as registration. */
@Injectable()
export class OperatorClients {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly clients: ClientsRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a public client, which authenticates with PKCE.
   *
   * @throws validation_error for an invalid redirect URI.
   */
  async create(name: string, redirectUris: string[]): Promise<{ clientId: string }> {
    const id = newApplicationId(this.config.region);
    const metadata: Record<string, unknown> = {
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    };
    try {
      applyRegistrationRules(undefined, metadata);
    } catch (error) {
      const { error_description: why } = error as { error_description?: string };
      if (!why) throw error;
      throw invalidField(['redirectUris'], why);
    }
    await this.database.transaction(async () => {
      await this.clients.insert({
        id,
        name: metadata.client_name as string,
        verified: true,
        metadata,
        secretHash: null,
      });
      await this.audit.recordAbove({
        actor: { type: 'operator' },
        action: 'registerApplication',
        target: { type: 'application', id },
        details: { name: metadata.client_name, redirectUris: metadata.redirect_uris },
      });
    });
    return { clientId: id };
  }
}
