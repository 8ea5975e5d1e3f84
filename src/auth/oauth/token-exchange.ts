import type { Request } from 'express';
import { type Context, errors, type GrantHandler, Provider } from 'oidc-provider';
import { hashOfRandom } from '#secrets';
import { traceOf } from '../../platform/audit/act.js';
import type { Config } from '../../platform/config/app.config.js';
import { beginExchange, issue } from './exchange.js';
import { OneAtATime } from './one-at-a-time.js';
import type { Grant } from '../applications/grant.entity.js';
import type { ProviderEnvironment } from './provider-configuration.js';
import { resourceOf } from './resources.js';

/**
 * Runs every token request of the library as one transaction under its approval's lock: everything that it issued, used
 * and revoked is committed together or not at all. A rejected grant is committed too, because reuse must revoke. Other
 * failures consume nothing.
 */
export function providerWithTransactions(environment: ProviderEnvironment): typeof Provider {
  // Requests with the same token wait here, so that each does not hold a database connection while it waits.
  const turns = new OneAtATime();
  return class extends Provider {
    override registerGrantType(name: string, handler: GrantHandler, params?: Set<string>, dupes?: Set<string>): void {
      super.registerGrantType(name, (ctx) => exchange(ctx, handler, turns, environment), params, dupes);
    }
  };
}

async function exchange(
  ctx: Context,
  handler: GrantHandler,
  turns: OneAtATime,
  { config, database, repositories }: ProviderEnvironment,
): Promise<void> {
  const { params } = ctx.oidc;
  if (params.resource !== undefined) params.resource = canonical(params.resource, config);
  const presented = hashOfRandom(String(params.refresh_token ?? params.code));
  const refusal = await turns.run(presented.toString('base64'), () =>
    database.transaction(async () => {
      const grant = await repositories.grants.lockByToken(presented);
      const { issued } = beginExchange(ctx, grant);
      try {
        await handler(ctx);
        if (grant) await issue(repositories.tokens, grant.id, issued);
      } catch (error) {
        if (error instanceof errors.InvalidGrant) return error;
        throw error;
      }
      if (grant && ctx.oidc.entities.RotatedRefreshToken) await recordRefresh(ctx, grant, repositories);
      return undefined;
    }),
  );
  if (refusal) throw refusal;
}

/** @throws InvalidTarget for a resource that is not ours (RFC 8707, section 2). */
function canonical(given: string | string[], addresses: Config): string {
  const [resource, ...others] = new Set([given].flat().map((name) => resourceOf(name, addresses)));
  if (resource === undefined || others.length > 0) throw new errors.InvalidTarget();
  return resource;
}

async function recordRefresh(
  { req }: Context,
  { orgId, id, clientId, userId }: Grant,
  { audit }: ProviderEnvironment['repositories'],
): Promise<void> {
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
