import { type Mutant, mutantsOf, suite } from './mutant.js';

const feed = 'src/platform/events/events.repository.ts';
const tables = 'src/platform/migrations/1700000000011-audit.ts';
const verification = 'src/platform/audit/audit-verification.service.ts';

const dispatch = 'src/outside/webhooks/dispatch.repository.ts';
const images = (only: string) => suite('integration/events/every-write.slow', only);
const chain = (only: string) => suite('integration/events/audit-chain.slow', only);
const actors = 'integration/events/who-acts';
const delivery = (only: string) => suite('integration/events/webhook-deliveries.slow', only);
const dispatched = (only: string) => suite('integration/events/webhook-dispatch.slow', only);

/** Events are recorded once and in order, are visible only to those who may see them, and do not change. */
export const trail: Mutant[] = [
  ...mutantsOf('src/auth/accounts/session-caller.ts', actors, {
    'a session is recorded as a token': ["kind: 'session'", "kind: 'oauth'"],
  }),
  ...mutantsOf('src/outside/connections/sync-caller.ts', actors, {
    'a sync has more permissions than it needs': ['(orgId, createdBy, [])', "(orgId, createdBy, ['tasks:write'])"],
  }),
  ...mutantsOf('src/platform/events/originator.ts', actors, {
    'an operator is recorded as the owner': [
      " || !isMember(by)) return { type: 'service' };",
      ") return { type: 'service' };",
    ],
    'background work is recorded as a person’s act': ["by.credential.kind === 'service'", 'false'],
  }),
  ...mutantsOf(feed, 'integration/events/follow-feed', {
    'events are shown while an earlier transaction runs': "      .and('e.transaction_id < horizon')\n",
  }),
  ...mutantsOf('libs/persistence/table-reader.ts', 'integration/events/no-lost-change.slow', {
    'changes are listed that an earlier transaction may still precede': ['if (where.isSince) {', 'if (false) {'],
  }),
  ...mutantsOf('libs/persistence/tenant-database.ts', 'integration/events/no-lost-change.slow', {
    'transactions of other processes are ignored': [
      'row?.ms === null ? Number.POSITIVE_INFINITY : now - (row?.ms as number)',
      'row && now',
    ],
  }),
  ...mutantsOf('src/platform/events/event-feed.service.ts', 'integration/events/no-lost-change.slow', {
    'a time next to a cursor is ignored': [
      '    if (cursor !== undefined && since !== undefined) throw eitherFromOrCursor();\n',
      '',
    ],
  }),
  ...mutantsOf(tables, chain('is inaccessible to the database roles'), {
    'audit entries can be changed': [
      "${isolated('audit_entries')}\n      revoke update, delete on audit_entries from app_user, app_system;\n\n",
      "${isolated('audit_entries')}\n\n",
    ],
    'organizations can create seals': 'revoke insert, update, delete on audit_seals from app_user;',
    'seals can be changed': 'revoke update, delete on audit_seals from app_system;',
    'organizations can change heads': 'revoke insert, update, delete on audit_heads from app_user;',
    'heads can be deleted': 'revoke delete on audit_heads from app_system;',
  }),
  ...mutantsOf('src/platform/audit/audit-seals.repository.ts', chain('skips no entry'), {
    'an entry that commits late is skipped': [
      'and e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())\n        order by',
      'order by',
    ],
  }),
  ...mutantsOf('src/platform/audit/audit-seals.repository.ts', chain('is sealed by nobody'), {
    'two processes seal one chain': ['return row?.held as boolean;', 'return true;'],
  }),
  ...mutantsOf('src/platform/audit/audit-sealer.ts', chain('shortened or rewritten'), {
    'a shortened chain is continued': [
      'if (head && !this.signatures.isValid(',
      'if (head && false && !this.signatures.isValid(',
    ],
  }),
  ...mutantsOf(verification, chain('verify finds'), {
    'missing entries are not found': [
      "if (!entry) faults.push({ fault: 'missing', position: seal.position, entryId });\n      else if",
      'if (entry && false) faults.push();\n      else if (!entry) faults.push();\n      else if',
    ],
    'a gap between seals is not found':
      "if (seal.position !== position + 1) faults.push({ fault: 'missing', position: position + 1 });",
    'changed entries are not found': ['!isSealed(hash, seal, entry)', 'false'],
    'forged and sealed entries are not found': [
      'else if (!this.isOurs(orgId, entry, seal.signature))',
      'else if (false)',
    ],
    'forged entries are not found': ['else if (!this.isOurs(orgId, entry, signature))', 'else if (false)'],
    'inserted entries are not found': ['if (isLate)', 'if (false)'],
    'a replaced chain is not found': ['if (known?.position === position && known.hash !== hash)', 'if (false)'],
    'a shortened chain is not found': ['if (position < end)', 'if (false)'],
    'an unsigned head is not found': [
      'if (head && !this.signatures.isValid(',
      'if (head && false && !this.signatures.isValid(',
    ],
  }),
  ...mutantsOf('src/outside/webhooks/signature.ts', delivery('is a signed post'), {
    'a signature does not cover the time': ['.update(`${id}.${timestamp}.${body}`)', '.update(`${id}.${body}`)'],
  }),
  ...mutantsOf('src/outside/webhooks/delivery.service.ts', delivery('carries both signatures'), {
    'the previous secret signs forever': ' && Date.parse(previousSecretUntil) > now',
  }),
  ...mutantsOf(dispatch, dispatched('is claimed by one process'), {
    'a failing endpoint is claimed as a healthy one': [
      "sound: endpoints(eventWork.deliveries, 'failing_since is null')",
      "sound: endpoints(eventWork.deliveries, 'true')",
    ],
    'a disabled endpoint is claimed': ["`status <> 'disabled' and ${condition}`", 'condition'],
  }),
  ...mutantsOf('src/outside/webhooks/dispatch-statements.ts', dispatched('is claimed by one process'), {
    'deliveries go to a disabled endpoint': [" and w.lease = $3 and w.status <> 'disabled'", ' and w.lease = $3'],
    'an attempt is recorded twice': [" and d.status = 'pending' and d.attempt_count = r.attempt_count", ''],
    'deliveries continue after the lease is lost': [
      ' and w.lease = $3 and w.status',
      ' and $3::integer is not null and w.status',
    ],
    'two deliveries of one record are in flight': [' and subject_id <> all($6::text[])', ' and $6::text[] is not null'],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-turn.ts', dispatched('in parallel with those'), {
    'an organization exceeds its share of deliveries in flight': ['(isFirst() || places.mayTake(orgId))', 'true'],
    'a delivery waits for all that are in flight': ['() => this.woken.resolve()', '() => undefined'],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-turn.ts', dispatched('is the only one'), {
    'an endpoint that failed last gets many deliveries at the same time': [
      'this.isFailing ? 1 : mostToEndpoint',
      'mostToEndpoint',
    ],
  }),
  ...mutantsOf(
    'src/outside/webhooks/webhook-deliveries.repository.ts',
    suite('integration/events/webhook-replays', 'sends past events'),
    {
      'a replay sends events of other properties': [
        '(w.property_ids is null or e.property_id = any(w.property_ids))',
        'true',
      ],
    },
  ),
  ...mutantsOf('libs/persistence/table.ts', images('without a change'), {
    'a change without effect is a new version': ['if (Object.keys(differing).length === 0) return row;', ''],
  }),
  ...mutantsOf('src/platform/events/events.service.ts', images('without a change'), {
    'a change without effect is recorded': ["if (type.kind === 'change' && after === before) return undefined;", ''],
  }),
  ...mutantsOf('libs/persistence/row-images.ts', images('records what follows'), {
    'the previous values are those after the UPDATE': [
      "entityReader(metadata, entity, 'old_')",
      "entityReader(metadata, entity, 'new_')",
    ],
  }),
  ...mutantsOf('src/tenancy/stays/moved-stays.repository.ts', images('records what follows'), {
    'the previous times of a stay are those after its property moved it': [
      'old.arrival_at as arrival_before',
      'new.arrival_at as arrival_before',
    ],
  }),
  ...mutantsOf('src/platform/events/change.ts', images('records what happened'), {
    'unchanged fields are recorded as changed': ['!isSameValue(before[name], after[name])', 'true'],
  }),
  ...mutantsOf('src/features/templates/templates.service.ts', images('without a change|repeated'), {
    'an unchanged template is a new version': [
      '!isSameValue(contentOf(shown), { ...contentOf(shown), ...given })',
      'Object.keys(given).length > 0',
    ],
  }),
  ...mutantsOf('src/features/workflows/workflows.service.ts', images('without a change'), {
    'an unchanged workflow is a new version': ['if (!isSameValue(definitionOf(shown), wanted)) {', 'if (wanted) {'],
  }),
  ...mutantsOf('src/features/reservations/stay-times.ts', images('without a change'), {
    'an unchanged time of a stay is a change': ['Date.parse(at) !== Date.parse(stay[name])', 'true'],
  }),
  ...mutantsOf('src/features/devices/access-codes/access-codes.service.ts', images('%s repeated'), {
    'unchanged digits of a code are a change': ['digits && digits !== this.digits.open(code) &&', 'digits &&'],
  }),
  ...mutantsOf('src/tenancy/properties/properties.service.ts', images('%s repeated'), {
    'unchanged wifi details are a change': [
      'wifi !== undefined && !isSameValue(this.secrets.openWifi(property), wifi)',
      'wifi !== undefined',
    ],
  }),
];
