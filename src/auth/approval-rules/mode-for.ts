import type { ApprovalMode, ApprovalRule, ApprovalRules, AskBefore } from '#access';
import { allCarriedOut, type Operation } from '#operations';

/** What a rule can be about, beside the names of operations, from the narrowest to the widest. */
export const wideRules = ['secrets', 'destructive', 'write', 'everything'] as const;

/** A workflow that is only saved does nothing. */
const startingWorkflows = ['activateWorkflow', 'runWorkflow', 'retryWorkflowRun'];

/**
 * Operations that give somebody more than they have: access, or something that acts for them. A rule about destructive
 * actions includes these, because each could lead to the same action without asking.
 */
export const waysAround: ReadonlySet<string> = new Set([
  'createApiKey',
  'rotateApiKey',
  'inviteMember',
  'updateMember',
  'reinstateMember',
  'createRole',
  'updateRole',
  'updateOrganization',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
  'rotateWebhookSecret',
  'createConnection',
  'updateConnection',
  ...startingWorkflows,
]);

/** These may do what any rule is about: undoing the creation of a stay cancels it, and a step of a workflow may. */
const doingAnything: ReadonlySet<string> = new Set(['undoChanges', ...startingWorkflows]);

type Asked = Pick<Operation, 'name' | 'effect' | 'showsSecret'>;

const strictness: Record<ApprovalMode, number> = { auto: 0, ask: 1, forbid: 2 };

/** A rule for one key or application beats one for all; then the narrowest beats the others, and on a tie the strictest. */
const strengthOf = ({ isOwn, what, mode }: ApprovalRule): number[] => [
  isOwn ? 1 : 0,
  breadthOf(what),
  strictness[mode],
];

function breadthOf(what: string): number {
  if (what === 'everything') return 0;
  if (what === 'write' || what === 'destructive') return 1;
  return what === 'secrets' ? 2 : 3;
}

function isAbout(what: string, { name, effect, showsSecret }: Asked): boolean {
  const reveals = showsSecret !== undefined;
  if (what === 'everything') return effect !== 'read' || reveals;
  if (what === 'write') return effect !== 'read';
  if (what === 'destructive') return effect === 'destructive';
  return what === 'secrets' ? reveals : what === name;
}

/** All reveals, and the listed operations, are ways around a rule. */
const isWayAround = ({ name, showsSecret }: Asked): boolean => showsSecret !== undefined || waysAround.has(name);

const isEffect = (what: string): boolean => what === 'write' || what === 'destructive';

/** A rule as it bears on an operation; undefined if it is about others. */
function bearing(rule: ApprovalRule, operation: Asked): ApprovalRule | undefined {
  if (isAbout(rule.what, operation)) return rule;
  // A forbidden action could be performed through another identity, so a person decides about these.
  const isWay = doingAnything.has(operation.name) || (isEffect(rule.what) && isWayAround(operation));
  const asks = rule.mode !== 'auto' && isWay;
  return asks ? { ...rule, mode: 'ask' } : undefined;
}

function modeByRules(rules: readonly ApprovalRule[], operation: Asked): ApprovalMode {
  const strongest = rules
    .flatMap((rule) => bearing(rule, operation) ?? [])
    .sort((a, b) => compare(strengthOf(b), strengthOf(a)))
    .at(0);
  return strongest?.mode ?? 'auto';
}

function compare(a: readonly number[], b: readonly number[]): number {
  const first = a.findIndex((value, index) => value !== b[index]);
  return first < 0 ? 0 : (a[first] as number) - (b[first] as number);
}

const asked = (askBefore: AskBefore): ApprovalRule[] =>
  askBefore === 'nothing' ? [] : [{ isOwn: true, what: askBefore, mode: 'ask' }];

/** Whether a rule can be about an operation. Withdrawing only takes back what was requested. */
export const canBeHeld = ({ name, effect, showsSecret }: Asked): boolean =>
  name !== 'withdrawApproval' && (effect !== 'read' || showsSecret !== undefined);

/** Whether rules about these, however strict, could bear on an operation. */
export function couldBear(rulesAbout: readonly string[], operation: Operation, input: object): boolean {
  const rules = rulesAbout.map((what) => ({ isOwn: true, what, mode: 'forbid' as const }));
  return modeFor({ rules, askBefore: 'nothing' }, operation, input) !== 'auto';
}

/**
 * The mode of an operation: the strictest one for all that it performs. A person's choice at consent can only make the
 * organization's rules stricter.
 */
export function modeFor({ rules, askBefore }: ApprovalRules, operation: Operation, input: object): ApprovalMode {
  const modes = allCarriedOut(operation, input)
    .filter(canBeHeld)
    .flatMap((one) => [modeByRules(rules, one), modeByRules(asked(askBefore), one)]);
  return modes.reduce((one, other) => (strictness[one] < strictness[other] ? other : one), 'auto');
}
