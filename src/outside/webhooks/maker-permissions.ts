import type { Caller } from '#access';
import { builtInRoles, permissionsOf } from '../../platform/callers/permissions.js';
import { eventTypes } from '../../platform/events/event-type.js';
import { isReadable } from '../../platform/events/readable-events.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Subscribes to everything that the maker may read. */
export const anyType = '*';

/**
 * The identity for which an endpoint is sent events: the member who created or last edited it, and the key or
 * application that they used.
 */
export function makerOf(caller: Caller): Pick<WebhookEndpoint, 'boundTo' | 'makerKeyId' | 'makerClientId'> {
  const { memberId, credential } = caller;
  return {
    boundTo: memberId,
    makerKeyId: credential.kind === 'api-key' ? credential.id : null,
    makerClientId: credential.kind === 'oauth' ? credential.clientId : null,
  };
}

/** Whether the caller uses the credential that the endpoint is bound to. */
export function isMadeBy(caller: Caller, endpoint: WebhookEndpoint): boolean {
  const { boundTo, makerKeyId, makerClientId } = makerOf(caller);
  return boundTo === endpoint.boundTo && makerKeyId === endpoint.makerKeyId && makerClientId === endpoint.makerClientId;
}

/** The permissions for the event types that the maker has. Losing one of them later degrades the endpoint. */
export function scopesFor(types: readonly string[], permissions: ReadonlySet<string>): string[] {
  const chosen = [...eventTypes().values()].filter(({ name }) => types.includes(anyType) || types.includes(name));
  const needed = chosen
    .filter((type) => isReadable(type, permissions))
    .flatMap(({ scope }) => (typeof scope === 'string' ? scope : [...scope.scopes.values()]));
  return [...new Set(needed)].filter((scope) => permissions.has(scope)).sort();
}

/** The permissions of the built-in roles, which no table holds, as a value for `makerOf`. */
export const builtInPermissions = JSON.stringify(
  Object.fromEntries(builtInRoles.map((builtIn) => [builtIn, permissionsOf({ builtIn, permissions: [] })] as const)),
);

/**
 * Joins to an endpoint `w` the current permissions of its maker: `maker.permitted`, and the properties that the member
 * and the key are limited to. An endpoint without a maker joins nothing. A rotated key continues as its successor, and
 * an application as long as the person's approval lasts.
 *
 * @param now the placeholder of the time.
 * @param builtIn the placeholder of `builtInPermissions`.
 */
export const joinMaker = (now: string, builtIn: string): string => `
  left join lateral (
    select case
             when m.id is null then '{}'::text[]
             when w.maker_key_id is not null then coalesce(k.scopes, '{}')
             when w.maker_client_id is not null then array(select unnest(g.scopes) intersect select unnest(role.permits))
             else role.permits
           end as permitted,
           m.property_ids as member_properties, k.property_ids as key_properties
      from (select 1) one
      left join members m on m.org_id = w.org_id and m.id = w.maker_member_id and m.status = 'active'
      left join roles r on r.org_id = m.org_id and r.id = m.role_id
      left join lateral (
        select case when r.built_in is null then coalesce(r.permissions, '{}')
                    else array(select jsonb_array_elements_text(${builtIn}::jsonb -> r.built_in)) end as permits) role on true
      left join oauth_grants g
        on g.org_id = m.org_id and g.user_id = m.user_id and g.client_id = w.maker_client_id and g.revoked_at is null
      left join lateral (
        with recursive line as (
          select * from api_keys where org_id = w.org_id and id = w.maker_key_id
          union all
          select n.* from line l join api_keys n on n.org_id = l.org_id and n.id = l.successor_id)
        select scopes, property_ids from line
         where revoked_at is null and (expires_at is null or expires_at > ${now})
         order by created_at desc limit 1) k on true
  ) maker on w.maker_member_id is not null`;
