import { type Mutant, mutantsOf, suite } from './mutant.js';

const requests = (only: string) => suite('integration/approvals/approvals.slow', only);
const page = (only: string) => suite('integration/approvals/approval-page', only);
const carriedOut = (only: string) => suite('integration/approvals/carried-out', only);
const rules = (only: string) => suite('integration/approvals/approval-rules', only);
const clients = (only: string) => suite('integration/approvals/clients.slow', only);
const sameEffect = (only: string) => suite('integration/approvals/same-effect', only);
const modes = suite('unit/approvals/mode-for', '');

/** Guards that keep a request from being carried out before a person has decided, or by anybody else's decision. */
export const approvals: Mutant[] = [
  ...mutantsOf('src/auth/approval-rules/mode-for.ts', modes, {
    'an operation that would bypass a rule needs no approval': ["rule.mode !== 'auto' && isWay", 'false'],
    'an undo bypasses a rule': ['doingAnything.has(operation.name) || ', ''],
    'a workflow bypasses a rule about one operation': ["['undoChanges', ...startingWorkflows]", "['undoChanges']"],
    'a general rule takes precedence over the credential’s own': ['isOwn ? 1 : 0', 'isOwn ? 0 : 1'],
    'a reveal needs no approval': ["(effect !== 'read' || showsSecret !== undefined)", "effect !== 'read'"],
    'a rule that could bypass an approval is not read': ["mode: 'forbid' as const", "mode: 'auto' as const"],
    'the choice at consent loosens a rule': ['modeByRules(asked(askBefore), one)', "'auto'"],
  }),
  ...mutantsOf('src/edge/writes/approval-gate.ts', rules('before no others'), {
    'rules are read before writes that they do not concern': ['isOld || couldBear(', 'true || couldBear('],
  }),
  ...mutantsOf('src/edge/writes/approval-gate.ts', rules('arriving for a second'), {
    'a request that arrives slowly escapes the first rule': ['isOld || couldBear', 'couldBear'],
  }),
  ...mutantsOf('src/features/reservations/by-reference/carried-out-by-saves.ts', modes, {
    'saves by reference move stays despite a rule': '...(isMoved ? [moveReservation] : []),',
    'saves by reference check in despite a rule': '...(stayStatus ? progressBy[stayStatus] : []),',
    'saves by reference reinstate despite a rule': [
      'cancelReservation : reinstateReservation',
      'cancelReservation : updateReservation',
    ],
  }),
  ...mutantsOf('src/features/reservations/blocks/unit-blocks.operations.ts', sameEffect('block'), {
    'a forced block takes units despite a rule': '...(force ? [unassignUnit] : []),',
    'a block sets the status of a unit despite a rule': ['[setUnitStatus, setPropertyStatus]', '[]'],
    'a block ends despite a rule': ['[from, until, kind]', '[until]'],
  }),
  ...mutantsOf('src/features/reservations/reservations.operations.ts', sameEffect('assigning'), {
    'guests in house move to a unit despite a rule': 'carryOutBeside(assignUnit, () => [moveReservation]);',
  }),
  ...mutantsOf('src/features/reservations/assignments/carried-out-by-places.ts', sameEffect('a move|a save'), {
    'a stay loses its unit to another place despite a rule': ['[unit, ...others]', '[unit]'],
  }),
  ...mutantsOf('src/features/reservations/by-reference/carried-out-by-saves.ts', sameEffect('a save'), {
    'a save moves guests to a unit despite a rule': ['Boolean(unit) || ', ''],
  }),
  ...mutantsOf('src/features/devices/access-codes/access-codes.operations.ts', sameEffect('of a code|digits'), {
    'the end of a code removes it despite a rule': ['(startsAt ?? endsAt)', 'startsAt'],
    'a code gets other digits despite a rule': ['[regenerateAccessCode]', '[]'],
  }),
  ...mutantsOf('src/features/templates/templates.operations.ts', sameEffect('publishing'), {
    'an earlier template is published despite a rule': ['[publishEmailTemplate]', '[]'],
    'publishing rolls a template back despite a rule': ['[rollBackEmailTemplate]', '[]'],
  }),
  ...mutantsOf('src/features/templates/writing/writing.operations.ts', sameEffect('by a model'), {
    'a model changes templates despite a rule': 'carriesOut: () => [updateEmailTemplate],',
  }),
  ...mutantsOf('src/features/workflows/writing/writing.operations.ts', sameEffect('by a model'), {
    'a model changes workflows despite a rule': 'carriesOut: () => [updateWorkflow],',
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.operations.ts', sameEffect('of a key'), {
    'a rule about new keys allows successors': ['[createApiKey, revokeApiKey]', '[revokeApiKey]'],
    'a rule about revoking allows ending a key by a successor': ['[createApiKey, revokeApiKey]', '[createApiKey]'],
  }),
  ...mutantsOf('src/tenancy/properties/properties.operations.ts', sameEffect('new address'), {
    'the address of a calendar is shown despite a rule': 'carriesOut: () => [revealCalendarFeed],',
  }),
  ...mutantsOf('src/outside/webhooks/webhooks.operations.ts', sameEffect('another receiver'), {
    'events get another receiver despite a rule': ['[createWebhookEndpoint])', '[])'],
  }),
  ...mutantsOf('src/features/workflows/workflows.operations.ts', sameEffect('archiving'), {
    'a workflow stops despite a rule': 'carriesOut: () => [pauseWorkflow],',
  }),
  ...mutantsOf('src/auth/approvals/may-decide.ts', suite('unit/approvals/may-decide', ''), {
    'any member decides': ["if (!isOneOf(onBehalfOf) && !permissions.has('approvals:decide')) return false;", ''],
    'the requester decides although another member must': ['byOthers && isOneOf(', 'false && isOneOf('],
    'a member without the operation’s scope decides':
      'if (operation.scope && !permissions.has(operation.scope)) return false;',
    'a member decides about properties beyond their limit': [' && propertyIds.every((id) => limit.includes(id))', ''],
    'a limited member decides for the whole organization': [
      'isWithinReach({ propertyIds } as Caller, operation) && ',
      '',
    ],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.service.ts', page('does not exist for strangers'), {
    'members who may not decide see the page': [
      'if (!operation || !mayDecide(approval, operation, person, byOthers))',
      'if (!operation)',
    ],
  }),
  ...mutantsOf(
    'src/auth/approvals/approvals.repository.ts',
    suite('integration/approvals/approvals.slow', 'nobody is asked'),
    {
      'a refused request asks again at once': [
        "`status = 'refused' and ended_at > ?`",
        "`status = 'refused' and ended_at < ?`",
      ],
    },
  ),
  ...mutantsOf('libs/operations/secrets.ts', suite('integration/approvals/masked-secrets.slow', 'is masked'), {
    'the page shows secrets': ["if (schema['x-secret'])", 'if (false)'],
    'the page shows the secrets of a record in a bulk': [' ?? itemOf(schema)', ''],
    'the page shows the secrets in the steps of a workflow': [' ?? inputOf(schema, input, how.find)', ''],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.controller.tsx', page('destructive operations'), {
    'an old session sees a sensitive request': [
      'if (isPending(deciding) && this.isSensitive(deciding)) await',
      'if (false) await',
    ],
    'an old session decides about a sensitive request': [
      'if (this.isSensitive(deciding) && !isFresh(signedIn))',
      'if (false)',
    ],
  }),
  ...mutantsOf('src/auth/approvals/held-requests.service.ts', carriedOut('not at all if'), {
    'an approved request runs with a revoked key': [
      'await this.callers.now(callerFrom(orgId, asked))',
      'callerFrom(orgId, asked)',
    ],
    'a rule added after the request is ignored': [
      "if (rules && modeFor(rules, operation, fields) === 'forbid')",
      'if (false)',
    ],
  }),
  ...mutantsOf('src/auth/bearer/credentials.service.ts', rules('applies the same rules'), {
    'the rules of an organization are not read for keys': [
      'row.applicationId === null ? row.rulesAbout : ',
      'row.applicationId === null ? [] : ',
    ],
  }),
  ...mutantsOf('src/auth/bearer/credentials.service.ts', clients('keys that the application creates'), {
    'what a person chose at consent is not read for keys': [
      "row.rulesAbout : ['everything']",
      'row.rulesAbout : row.rulesAbout',
    ],
  }),
  ...mutantsOf('src/auth/bearer/access-tokens.service.ts', clients('also for one application'), {
    'the rules of an organization are not read for tokens': ["=== 'nothing' ? row.rulesAbout", "=== 'nothing' ? []"],
  }),
  ...mutantsOf('src/auth/bearer/access-tokens.service.ts', clients('until the person approves'), {
    'what a person chose at consent is not read for tokens': [
      "row.rulesAbout : ['everything']",
      'row.rulesAbout : row.rulesAbout',
    ],
  }),
  ...mutantsOf('src/platform/migrations/1700000000298-approval-rules-known.ts', rules('still apply after'), {
    'the migration forgets existing rules': [
      'where exists (select 1 from approval_rules r where r.org_id = o.id)',
      'where false',
    ],
  }),
  ...mutantsOf('src/auth/approvals/may-decide.ts', suite('unit/approvals/may-decide', ''), {
    'a limited member decides about a request without a property': ['propertyIds.length > 0 && ', ''],
    'a limited member cannot decide for a credential with the same limit': [
      'caller.propertyIds?.every((id) => limit.includes(id))',
      'false',
    ],
    'the creator of a key cannot decide about its requests': ['isOneOf(onBehalfOf, madeBy)', 'isOneOf(onBehalfOf)'],
  }),
  ...mutantsOf('src/auth/approvals/deciders.repository.ts', rules('keys that they created'), {
    'a key created with another key has no creator who may decide': ['k.id = l.made_with', 'k.id is null'],
  }),
  ...mutantsOf('src/auth/approval-rules/mode-for.ts', rules('a rule about one operation'), {
    'an equivalent operation needs no approval': ['allCarriedOut(operation, input)', '[operation]'],
  }),
  ...mutantsOf('src/features/reservations/by-reference/stay-references.operations.ts', rules('saves by reference'), {
    'a bulk save cancels stays without approval': 'carriesOut: ({ items }) => savesStays(items),',
    'a save cancels a stay without approval': 'carriesOut: (input) => savesStays([input]),',
  }),
  ...mutantsOf('src/features/reservations/by-reference/stay-references.operations.ts', modes, {
    'disconnecting a system cancels stays without approval': ["stays === 'cancel' ? [cancelReservation] : []", '[]'],
  }),
  ...mutantsOf('src/auth/approvals/decisions.service.ts', page('simultaneous'), {
    'a decision counts twice': ["statusOf(approval) !== 'pending'", 'false'],
  }),
  ...mutantsOf('src/auth/approvals/approval-runner.service.ts', page('asks again'), {
    'effects other than the approved ones are carried out': [
      'if (effectsHash(rehearsed.happened, rehearsed.startedAt) !== approved)',
      'if (false)',
    ],
  }),
  ...mutantsOf('src/auth/approvals/effects-hash.ts', suite('unit/approvals/effects-hash', 'record itself'), {
    'a record that has changed since counts as unchanged': ['was: follows ? null : versionOf(before)', 'was: null'],
  }),
  ...mutantsOf('src/auth/approvals/effects-hash.ts', page('a translation that would be published'), {
    'texts that have changed since are published': ['after: after ?? null, beside };', 'after: after ?? null };'],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.views.tsx', page('shows who asks'), {
    'a reason reverses the order of its text': ['inOrder(props.reason)', 'props.reason'],
  }),
  ...mutantsOf('src/auth/approvals-page/shown-values.tsx', page('whatever its text'), {
    'a value reverses the order of its text': [
      'inOrder(names.get(value) ?? withMoment(value))',
      'names.get(value) ?? withMoment(value)',
    ],
  }),
  ...mutantsOf('src/auth/approvals-page/shown-effects.ts', page('shows what a request sets'), {
    'the page does not show the guest': ['Object.values(asked.fields).includes(target.id)', 'false'],
  }),
  ...mutantsOf(
    'src/auth/approvals-page/shown-effects.ts',
    suite('integration/approvals/shown-effects', 'texts about guests'),
    {
      'an undo of notes shows no field': ['known.has(name) && !told.includes(name)', 'false'],
      'columns that nobody knows are named': ['known.has(name) && ', ''],
    },
  ),
  ...mutantsOf('src/platform/events/happening.ts', suite('integration/edge/rehearsals', 'free text'), {
    'the effects omit free text': ['value === notKept ? from?.[name] : value', 'value'],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.controller.tsx', page('asks again'), {
    'effects other than the shown ones are approved': [
      "'happened' in rehearsed && hashOf(rehearsed) === effects",
      'true',
    ],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.controller.tsx', page('somebody else approves it'), {
    'a page reports a request approved elsewhere as missing': 'if (!isPending(now)) throw new SeeOther(path);',
  }),
  ...mutantsOf('src/auth/approvals/own-approvals.service.ts', requests('of another credential'), {
    'another credential of the organization reads the response': [
      'if (approval?.principal !== principalOf(caller)) throw approvalNotFound();\n    const operation',
      'if (!approval) throw approvalNotFound();\n    const operation',
    ],
  }),
  ...mutantsOf('src/auth/approvals/still-seen.ts', carriedOut('may no longer read'), {
    'the response shows what the credential may no longer read': ['limit === null || ', 'true || '],
  }),
  ...mutantsOf('src/auth/approvals/approvals.repository.ts', requests('other keys'), {
    'a repeated request under another key asks for approval again': [
      'return this.table.findOne(orgId, joined.and(',
      'return void (joined.and(',
    ],
  }),
  ...mutantsOf('src/auth/approvals/approval-requests.service.ts', requests('at most 20|422'), {
    'more than 20 requests wait': 'if (waiting.length >= mostPending) throw tooManyApprovals();',
    'a key is accepted for another request':
      'if (approval && approval.fingerprint !== fingerprint) throw usedForAnother();',
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', rules('what the key creates|same rules'), {
    'a rotated key loses its rules': 'this.keys.inheritRules(caller.orgId, old.id, record.id);',
    'a key creates another without its rules':
      "if (credential.kind === 'api-key') this.keys.inheritRules(orgId, credential.id, id);",
  }),
  ...mutantsOf('src/doors/mcp/approval-tasks.service.ts', clients('support tasks'), {
    'a task is cancelled at a read-only address': ['if (cancels && !selection.allows(withdrawApproval))', 'if (false)'],
    'a client that does not support tasks gets one': [' || !followsTasks(meta)', ''],
  }),
  ...mutantsOf('src/auth/approvals/approval-runner.service.ts', suite('integration/approvals/kill.slow', ''), {
    'the approval ends outside the write’s transaction': [
      'await this.end(approval, answer);\n    });\n  }\n\n  /** Nothing undoes',
      'this.database.afterCommit(() => void this.settle(claim, (current) => this.end(current, answer)));\n    });\n  }\n\n  /** Nothing undoes',
    ],
  }),
  ...mutantsOf('src/doors/mcp/elicitations.service.ts', clients('state of another'), {
    'the state of another caller is accepted': ['principal === credential.principal && ', ''],
  }),
];
