import type { ApprovalRule, ApprovalRules, AskBefore } from '#access';

/** What the rules of the organization `o` are about: null where it never had one. */
export const rulesAbout = `
  case when o.has_approval_rules then array(select distinct r.what from approval_rules r where r.org_id = o.id) end as rules_about`;

const rulesWhere = (who: string): string => `
  (select jsonb_agg(jsonb_build_object('isOwn', r.who <> 'all', 'what', r.what, 'mode', r.mode))
     from approval_rules r where ${who})`;

const ofApplication = 'r.who = g.client_id and (r.user_id is null or r.user_id = g.user_id)';

/** The rules for a token of the approval `g`. */
export const rulesOfGrant = rulesWhere(`r.org_id = g.org_id and (r.who = 'all' or ${ofApplication})`);

/** The rules for the key `k`, and those for the application through which it was created: the approval `g`, if any. */
export const rulesOfKey = rulesWhere(
  `r.org_id = k.org_id and (r.who in ('all', 'key_' || replace(k.id::text, '-', '')) or ${ofApplication})`,
);

/** What a row says that a person has to decide; undefined if nothing. */
export function readRules(rules: unknown, askBefore: unknown): ApprovalRules | undefined {
  if (!rules && (askBefore ?? 'nothing') === 'nothing') return undefined;
  return { rules: (rules ?? []) as ApprovalRule[], askBefore: (askBefore ?? 'nothing') as AskBefore };
}
