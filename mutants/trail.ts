import { type Mutant, mutantsOf, suite } from './mutant.js';

const feed = 'src/platform/events/events.repository.ts';
const tables = 'src/platform/migrations/1700000000011-audit.ts';
const verification = 'src/platform/audit/audit-verification.service.ts';

const dispatch = 'src/outside/webhooks/dispatch.repository.ts';
const images = (only: string) => suite('integration/events/every-write', only);
const chain = (only: string) => suite('integration/events/audit-chain', only);
const actors = 'integration/events/who-acts';
const delivery = (only: string) => suite('integration/events/webhook-deliveries', only);
const dispatched = (only: string) => suite('integration/events/webhook-dispatch', only);

/** Events are recorded once and in order, are visible only to those who may see them, and do not change. */
export const trail: Mutant[] = [
  ...mutantsOf('src/auth/accounts/session-caller.ts', actors, {
    'a session poses as a token': ["kind: 'session'", "kind: 'oauth'"],
  }),
  ...mutantsOf('src/outside/connections/sync-caller.ts', actors, {
    'a sync may do more than it needs': ['(orgId, createdBy, [])', "(orgId, createdBy, ['tasks:write'])"],
  }),
  ...mutantsOf('src/platform/events/originator.ts', actors, {
    'an operator passes for the owner': [
      " || !isMember(by)) return { type: 'service' };",
      ") return { type: 'service' };",
    ],
    'what nobody asked for is an act': ["by.credential.kind === 'service'", 'false'],
  }),
  ...mutantsOf(feed, 'integration/events/follow-feed', {
    'events are shown while an earlier transaction runs': "      .and('e.transaction_id < horizon')\n",
  }),
  ...mutantsOf('libs/persistence/table-reader.ts', 'integration/events/no-lost-change', {
    'changes are shown that an earlier transaction could precede': ['if (where.isSince) {', 'if (false) {'],
  }),
  ...mutantsOf('libs/persistence/tenant-database.ts', 'integration/events/no-lost-change', {
    'transactions of other processes hold nothing back': [
      'row?.ms === null ? Number.POSITIVE_INFINITY : now - (row?.ms as number)',
      'row && now',
    ],
  }),
  ...mutantsOf('src/platform/events/event-feed.service.ts', 'integration/events/no-lost-change', {
    'a time beside a cursor is passed over': [
      '    if (cursor !== undefined && since !== undefined) throw eitherFromOrCursor();\n',
      '',
    ],
  }),
  ...mutantsOf(tables, chain('is inaccessible to the database roles'), {
    'audit entries can be changed': [
      "${isolated('audit_entries')}\n      revoke update, delete on audit_entries from app_user, app_system;\n\n",
      "${isolated('audit_entries')}\n\n",
    ],
    'seals can be made by tenants': 'revoke insert, update, delete on audit_seals from app_user;',
    'seals can be changed': 'revoke update, delete on audit_seals from app_system;',
    'heads can be changed by tenants': 'revoke insert, update, delete on audit_heads from app_user;',
    'heads can be deleted': 'revoke delete on audit_heads from app_system;',
  }),
  ...mutantsOf('src/platform/audit/audit-seals.repository.ts', chain('skips no entry'), {
    'an entry that commits late is passed': [
      'and e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())\n        order by',
      'order by',
    ],
  }),
  ...mutantsOf('src/platform/audit/audit-seals.repository.ts', chain('is sealed by nobody'), {
    'two processes seal one chain': ['return row?.held as boolean;', 'return true;'],
  }),
  ...mutantsOf('src/platform/audit/audit-sealer.ts', chain('shortened or rewritten'), {
    'a chain that was shortened continues': [
      'if (head && !this.signatures.isValid(',
      'if (head && false && !this.signatures.isValid(',
    ],
  }),
  ...mutantsOf(verification, chain('verify finds'), {
    'entries that are missing': [
      "if (!entry) faults.push({ fault: 'missing', position: seal.position, entryId });\n      else if",
      'if (entry && false) faults.push();\n      else if (!entry) faults.push();\n      else if',
    ],
    'a gap between seals':
      "if (seal.position !== position + 1) faults.push({ fault: 'missing', position: position + 1 });",
    'entries that were changed': ['!isSealed(hash, seal, entry)', 'false'],
    'entries that were forged and sealed': ['else if (!this.isOurs(orgId, entry, seal.signature))', 'else if (false)'],
    'entries that were forged': ['else if (!this.isOurs(orgId, entry, signature))', 'else if (false)'],
    'entries that were put in': ['if (isLate)', 'if (false)'],
    'another chain than the one that was known': [
      'if (known?.position === position && known.hash !== hash)',
      'if (false)',
    ],
    'a chain that was shortened': ['if (position < end)', 'if (false)'],
    'a head that is not signed': [
      'if (head && !this.signatures.isValid(',
      'if (head && false && !this.signatures.isValid(',
    ],
  }),
  ...mutantsOf('src/outside/webhooks/signature.ts', delivery('is a signed post'), {
    'a signature says nothing of the time': ['.update(`${id}.${timestamp}.${body}`)', '.update(`${id}.${body}`)'],
  }),
  ...mutantsOf('src/outside/webhooks/delivery.service.ts', delivery('carries both signatures'), {
    'the old secret signs for ever': ' && Date.parse(previousSecretUntil) > now',
  }),
  ...mutantsOf(dispatch, dispatched('is claimed by one process'), {
    'an endpoint is claimed among those that fail': [
      "sound: endpoints('deliveries', 'failing_since is null')",
      "sound: endpoints('deliveries', 'true')",
    ],
    'a disabled endpoint is claimed': ["`status <> 'disabled' and ${condition}`", 'condition'],
  }),
  ...mutantsOf('src/outside/webhooks/dispatch-statements.ts', dispatched('is claimed by one process'), {
    'a disabled endpoint is sent to': [" and w.lease = $3 and w.status <> 'disabled'", ' and w.lease = $3'],
    'an attempt is told twice': [" and d.status = 'pending' and d.attempt_count = r.attempt_count", ''],
    'a lease that was lost sends on': [' and w.lease = $3 and w.status', ' and $3::integer is not null and w.status'],
    'two deliveries of one record are in flight': [' and subject_id <> all($6::text[])', ' and $6::text[] is not null'],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-turn.ts', dispatched('in parallel with those'), {
    'an organization has more in flight than its share': ['(isFirst() || places.mayTake(orgId))', 'true'],
    'deliveries wait for those in flight that were committed before them': [
      '() => this.woken.resolve()',
      '() => undefined',
    ],
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
      'an endpoint is told of other properties': [
        '(w.property_ids is null or e.property_id = any(w.property_ids))',
        'true',
      ],
    },
  ),
  ...mutantsOf('libs/persistence/table.ts', images('without a change'), {
    'what changes nothing is a new version': ['if (Object.keys(differing).length === 0) return row;', ''],
  }),
  ...mutantsOf('src/platform/events/events.service.ts', images('without a change'), {
    'what changes nothing is told': ["if (type.kind === 'change' && after === before) return undefined;", ''],
  }),
  ...mutantsOf('libs/persistence/row-images.ts', images('records what follows'), {
    'what an UPDATE changed was so before': [
      "entityReader(metadata, entity, 'old_')",
      "entityReader(metadata, entity, 'new_')",
    ],
  }),
  ...mutantsOf('src/tenancy/stays/moved-stays.repository.ts', images('records what follows'), {
    'a stay was where its property moves it': ['old.arrival_at as arrival_before', 'new.arrival_at as arrival_before'],
  }),
  ...mutantsOf('src/platform/events/change.ts', images('records what happened'), {
    'what did not change is told as changed': ['!isSameValue(before[name], after[name])', 'true'],
  }),
  ...mutantsOf('src/features/templates/templates.service.ts', images('without a change|repeated'), {
    'the same words are another version of a template': [
      '!isSameValue(contentOf(shown), { ...contentOf(shown), ...given })',
      'Object.keys(given).length > 0',
    ],
  }),
  ...mutantsOf('src/features/workflows/workflows.service.ts', images('without a change'), {
    'the same steps are another version of a workflow': [
      'if (!isSameValue(definitionOf(shown), wanted)) {',
      'if (wanted) {',
    ],
  }),
  ...mutantsOf('src/features/reservations/stay-times.ts', images('without a change'), {
    'the moment that a stay has is another one': ['Date.parse(at) !== Date.parse(stay[name])', 'true'],
  }),
  ...mutantsOf('src/features/devices/access-codes/access-codes.service.ts', images('%s repeated'), {
    'the same digits are other ones': ['digits && digits !== this.digits.open(code) &&', 'digits &&'],
  }),
  ...mutantsOf('src/tenancy/properties/properties.service.ts', images('%s repeated'), {
    'the same wifi is another one': [
      'wifi !== undefined && !isSameValue(this.secrets.openWifi(property), wifi)',
      'wifi !== undefined',
    ],
  }),
];
