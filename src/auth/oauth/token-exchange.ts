import type { Request } from 'express';
import { type Context, errors, type GrantHandler, Provider } from 'oidc-provider';
import { hashOfRandom } from '#secrets';
import type { SystemDatabase } from '#system-database';
import { traceOf } from '../../platform/audit/act.js';
import type { AuditService } from '../../platform/audit/audit.service.js';
import { OneAtATime } from './one-at-a-time.js';
import type { GrantsRepository } from './grants.repository.js';
import { resourceOf } from './resources.js';

export interface ExchangeParts {
  database: SystemDatabase;
  grants: GrantsRepository;
  audit: AuditService;
  addresses: { baseUrl: string; mcpUrl: string };
}

/**
 * Runs every token request of the library as one transaction under its approval's lock: everything that it issued, used
 * and revoked is committed together or not at all. A rejected grant is committed too, because reuse must revoke. Other
 * failures consume nothing.
 */
export function providerWithTransactions(parts: ExchangeParts): typeof Provider {
  // Requests with the same token wait here, so that each does not hold a database connection while it waits.
  const turns = new OneAtATime();
  return class extends Provider {
    override registerGrantType(name: string, handler: GrantHandler, params?: Set<string>, dupes?: Set<string>): void {
      super.registerGrantType(name, (ctx) => exchange(ctx, handler, turns, parts), params, dupes);
    }
  };
}

async function exchange(ctx: Context, handler: GrantHandler, turns: OneAtATime, parts: ExchangeParts): Promise<void> {
  const { database, grants, addresses } = parts;
  const { params } = ctx.oidc;
  if (params.resource !== undefined) params.resource = canonical(params.resource, addresses);
  const presented = hashOfRandom(String(params.refresh_token ?? params.code));
  const refusal = await turns.run(presented.toString('base64'), () =>
    database.transaction(async () => {
      await grants.lockByToken(presented);
      try {
        await handler(ctx);
      } catch (error) {
        if (error instanceof errors.InvalidGrant) return error;
        throw error;
      }
      await recordRefresh(ctx, parts);
      return undefined;
    }),
  );
  if (refusal) throw refusal;
}

/** @throws InvalidTarget for a resource that is not ours (RFC 8707, section 2). */
function canonical(given: string | string[], addresses: ExchangeParts['addresses']): string {
  const [resource, ...others] = new Set([given].flat().map((name) => resourceOf(name, addresses)));
  if (resource === undefined || others.length > 0) throw new errors.InvalidTarget();
  return resource;
}

async function recordRefresh({ oidc, req }: Context, { grants, audit }: ExchangeParts): Promise<void> {
  const { RotatedRefreshToken: rotated, Grant: approval } = oidc.entities;
  const grant = rotated && approval && (await grants.findLive(approval.jti));
  if (!grant) return;
  const { orgId, id, clientId, userId } = grant;
  await audit.record(
    orgId,
    { target: { type: 'application', id } },
    {
      action: 'refreshApplication',
      actor: { type: 'application', id: clientId },
      credential: { kind: 'oauth', id, clientId },
      onBehalfOf: userId,
      ...traceOf((req as Request).context),
    },
  );
}
