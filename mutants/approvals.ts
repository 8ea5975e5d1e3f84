import { type Mutant, mutantsOf, suite } from './mutant.js';

const requests = (only: string) => suite('integration/approvals/approvals', only);
const clients = (only: string) => suite('integration/approvals/clients', only);
const modes = suite('unit/approvals/mode-for', '');

/** What keeps a request from being carried out before a person has decided, or by anybody else's decision. */
export const approvals: Mutant[] = [
  ...mutantsOf('src/auth/approval-rules/mode-for.ts', modes, {
    'what goes around a rule is not held': ["rule.mode !== 'auto' && isWay", 'false'],
    'an undo goes around a rule': ['operation.name === undoing || ', ''],
    'a rule for all beats one of its own': ['isOwn ? 1 : 0', 'isOwn ? 0 : 1'],
    'a reveal is not held': ["(effect !== 'read' || showsSecret !== undefined)", "effect !== 'read'"],
    'the choice at consent loosens': ['modeByRules(asked(askBefore), operation)', "'auto'"],
  }),
  ...mutantsOf('src/auth/approvals/may-decide.ts', requests('is not there for strangers'), {
    'everybody decides': ["if (isOwn ? byOthers : !permissions.has('approvals:decide')) return false;", ''],
  }),
  ...mutantsOf('src/auth/approvals/may-decide.ts', clients('who may decide'), {
    'the requester decides where others have to': ['isOwn ? byOthers :', 'isOwn ? false :'],
  }),
  ...mutantsOf('src/auth/approvals/decisions.service.ts', requests('expired|withdrawn|same time'), {
    'a decision counts twice': ["statusOf(approval) !== 'pending'", 'false'],
  }),
  ...mutantsOf('src/auth/approvals/approval-runner.service.ts', requests('asks again'), {
    'other effects are carried out': [
      'if (effectsHash(rehearsed.happened, rehearsed.startedAt) !== approved)',
      'if (false)',
    ],
  }),
  ...mutantsOf('src/auth/approvals-page/approval-page.controller.tsx', requests('asks again'), {
    'other effects are approved': ["'happened' in rehearsed && hashOf(rehearsed) === effects", 'true'],
  }),
  ...mutantsOf('src/auth/approvals/own-approvals.service.ts', requests('of another credential'), {
    'another credential reads the response': [
      'if (approval?.principal !== principalOf(caller)) throw approvalNotFound();\n    const operation',
      'if (!approval) throw approvalNotFound();\n    const operation',
    ],
  }),
  ...mutantsOf('src/auth/approvals/approval-requests.service.ts', requests('no more than 20|422'), {
    'more than 20 wait': 'if (waiting.length >= mostPending) throw tooManyApprovals();',
    'a key stands for another request': 'if (approval && approval.fingerprint !== fingerprint) throw usedForAnother();',
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', requests('takes over'), {
    'a rotated key has no rules': 'this.keys.inheritRules(caller.orgId, old.id, record.id);',
  }),
  ...mutantsOf('src/doors/mcp/elicitations.service.ts', clients('state of another'), {
    'a state of another caller counts': ['principal === credential.principal && ', ''],
  }),
];
