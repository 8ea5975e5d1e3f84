import { type Mutant, mutantsOf, suite } from './mutant.js';

const requests = (only: string) => suite('integration/approvals/approvals', only);
const page = (only: string) => suite('integration/approvals/approval-page', only);
const carriedOut = (only: string) => suite('integration/approvals/carried-out', only);
const rules = (only: string) => suite('integration/approvals/approval-rules', only);
const clients = (only: string) => suite('integration/approvals/clients', only);
const modes = suite('unit/approvals/mode-for', '');

/** Guards that keep a request from being carried out before a person has decided, or by anybody else's decision. */
export const approvals: Mutant[] = [
  ...mutantsOf('src/auth/approval-rules/mode-for.ts', modes, {
    'what goes around a rule is not held': ["rule.mode !== 'auto' && isWay", 'false'],
    'an undo goes around a rule': ['operation.name === undoing || ', ''],
    'a rule for all beats one of its own': ['isOwn ? 1 : 0', 'isOwn ? 0 : 1'],
    'a reveal is not held': ["(effect !== 'read' || showsSecret !== undefined)", "effect !== 'read'"],
    'the choice at consent loosens': ['modeByRules(asked(askBefore), one)', "'auto'"],
  }),
  ...mutantsOf('src/auth/approvals/may-decide.ts', suite('unit/approvals/may-decide', ''), {
    'everybody decides': ["if (!isOneOf(onBehalfOf) && !permissions.has('approvals:decide')) return false;", ''],
    'the requester decides where others have to': ['byOthers && isOneOf(', 'false && isOneOf('],
    'who may not do it decides': 'if (operation.scope && !permissions.has(operation.scope)) return false;',
    'a decision is about other properties': [' && propertyIds.every((id) => limit.includes(id))', ''],
    'a limited member decides for the whole organization': [
      'isWithinReach({ propertyIds } as Caller, operation) && ',
      '',
    ],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.service.ts', page('does not exist for strangers'), {
    'strangers see the page': [
      'if (!operation || !mayDecide(approval, operation, person, byOthers))',
      'if (!operation)',
    ],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.controller.tsx', page('destructive operations'), {
    'an old session sees what is sensitive': [
      'if (isPending(deciding) && this.isSensitive(deciding)) await',
      'if (false) await',
    ],
    'an old session decides about it': ['if (this.isSensitive(deciding) && !isFresh(signedIn))', 'if (false)'],
  }),
  ...mutantsOf('src/auth/approvals-page/rules-page.controller.tsx', rules('on their page'), {
    'an old session changes rules': [
      'await this.sessions.requireFresh(request, pathWith(rulesPath, fields.org ? { org: fields.org } : {}));',
      '',
    ],
  }),
  ...mutantsOf('src/auth/approvals/held-requests.service.ts', carriedOut('not at all if'), {
    'a key that was revoked is used': ['await this.callers.now(callerFrom(orgId, asked))', 'callerFrom(orgId, asked)'],
    'a rule that came since is ignored': ["if (rules && modeFor(rules, operation, fields) === 'forbid')", 'if (false)'],
  }),
  ...mutantsOf('src/auth/approvals/may-decide.ts', suite('unit/approvals/may-decide', ''), {
    'a limited member decides about what has no property': ['propertyIds.length > 0 && ', ''],
    'a limited member decides nothing for a credential of the same limit': [
      'caller.propertyIds?.every((id) => limit.includes(id))',
      'false',
    ],
    'who made a key decides about it': ['isOneOf(onBehalfOf, madeBy)', 'isOneOf(onBehalfOf)'],
  }),
  ...mutantsOf('src/auth/approvals/deciders.repository.ts', rules('keys that they created'), {
    'a key that made the key hides its maker': ['k.id = l.made_with', 'k.id is null'],
  }),
  ...mutantsOf('src/auth/approval-rules/mode-for.ts', rules('a rule about one operation'), {
    'another operation does the same without asking': ['allCarriedOut(operation, input)', '[operation]'],
  }),
  ...mutantsOf('src/features/reservations/by-reference/stay-references.operations.ts', rules('saves by reference'), {
    'a bulk cancels without asking': 'carriesOut: ({ items }) => savesStays(items),',
    'a save cancels without asking': 'carriesOut: (input) => savesStays([input]),',
  }),
  ...mutantsOf('src/features/reservations/by-reference/stay-references.operations.ts', modes, {
    'a system that is disconnected cancels without asking': ["stays === 'cancel' ? [cancelReservation] : []", '[]'],
  }),
  ...mutantsOf('src/auth/approvals/decisions.service.ts', page('simultaneous'), {
    'a decision counts twice': ["statusOf(approval) !== 'pending'", 'false'],
  }),
  ...mutantsOf('src/auth/approvals/approval-runner.service.ts', page('asks again'), {
    'other effects are carried out': [
      'if (effectsHash(rehearsed.happened, rehearsed.startedAt) !== approved)',
      'if (false)',
    ],
  }),
  ...mutantsOf('src/auth/approvals/effects-hash.ts', suite('unit/approvals/effects-hash', 'record itself'), {
    'a record that was changed since is the same': ['was: follows ? null : versionOf(before)', 'was: null'],
  }),
  ...mutantsOf('src/auth/approvals/effects-hash.ts', page('a translation that would be published'), {
    'texts are published that were changed since': ['after: after ?? null, beside };', 'after: after ?? null };'],
  }),
  ...mutantsOf('src/auth/approvals-page/shown-effects.ts', page('shows what a request sets'), {
    'a page says nothing of a guest': ['Object.values(asked).includes(target.id)', 'false'],
  }),
  ...mutantsOf('src/platform/events/happening.ts', suite('integration/edge/rehearsals', 'free text'), {
    'effects leave out free text': ['value === notKept ? from?.[name] : value', 'value'],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.controller.tsx', page('asks again'), {
    'other effects are approved': ["'happened' in rehearsed && hashOf(rehearsed) === effects", 'true'],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.controller.tsx', page('somebody else approves it'), {
    'a page denies what another one has approved': 'if (!isPending(now)) throw new SeeOther(path);',
  }),
  ...mutantsOf('src/auth/approvals/own-approvals.service.ts', requests('of another credential'), {
    'another credential reads the response': [
      'if (approval?.principal !== principalOf(caller)) throw approvalNotFound();\n    const operation',
      'if (!approval) throw approvalNotFound();\n    const operation',
    ],
  }),
  ...mutantsOf('src/auth/approvals/still-seen.ts', carriedOut('may no longer read'), {
    'what a credential may not read any more is shown': ['limit === null || ', 'true || '],
  }),
  ...mutantsOf('src/auth/approvals/approvals.repository.ts', requests('other keys'), {
    'a repetition with another key asks again': [
      'return this.table.findOne(orgId, joined.and(',
      'return void (joined.and(',
    ],
  }),
  ...mutantsOf('src/auth/approvals/approval-requests.service.ts', requests('at most 20|422'), {
    'more than 20 wait': 'if (waiting.length >= mostPending) throw tooManyApprovals();',
    'a key stands for another request': 'if (approval && approval.fingerprint !== fingerprint) throw usedForAnother();',
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', rules('what the key creates|same rules'), {
    'a rotated key has no rules': 'this.keys.inheritRules(caller.orgId, old.id, record.id);',
    'a key makes another without its rules':
      "if (credential.kind === 'api-key') this.keys.inheritRules(orgId, credential.id, id);",
  }),
  ...mutantsOf('src/doors/mcp/approval-tasks.service.ts', clients('support tasks'), {
    'a task is cancelled where an address only reads': [
      'if (cancels && !selection.allows(withdrawApproval))',
      'if (false)',
    ],
    'a client gets a task that does not know tasks': [' || !followsTasks(meta)', ''],
  }),
  ...mutantsOf('src/auth/approvals/approval-runner.service.ts', suite('integration/approvals/kill', ''), {
    'the end of the approval is not in the transaction of the write': [
      'await this.end(approval, answer);\n    });\n  }\n\n  /** Nothing undoes',
      'this.database.afterCommit(() => void this.settle(claim, (current) => this.end(current, answer)));\n    });\n  }\n\n  /** Nothing undoes',
    ],
  }),
  ...mutantsOf('src/doors/mcp/elicitations.service.ts', clients('state of another'), {
    'a state of another caller counts': ['principal === credential.principal && ', ''],
  }),
];
