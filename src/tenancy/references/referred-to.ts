import { uuidIn, type Where } from '#persistence';
import type { Referable, ReferredTo } from './external-ref.dto.js';

/** Only records that a connection has a name for; the first value of the conditions is the organization. */
export function referredTo(where: Where, resource: Referable, { connectionId, externalId }: ReferredTo): Where {
  if (!connectionId) return where;
  const named = 'select record_id from external_refs e where e.org_id = $1 and e.resource = ? and e.connection_id = ?';
  if (externalId === undefined) return where.and(`id in (${named})`, resource, uuidIn(connectionId));
  return where.and(`id in (${named} and e.external_id = ?)`, resource, uuidIn(connectionId), externalId);
}
