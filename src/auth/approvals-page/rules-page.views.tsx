import type { ApprovalMode } from '#access';
import { AccountPage } from '../accounts/pages/account-page.js';
import type { SignedIn } from '../accounts/session.js';
import type { ApprovalRuleRow, ApprovalSettings } from '../approval-rules/approval-rule.dto.js';
import type { Membership } from '../../tenancy/members/memberships.repository.js';
import { Field, Form } from '../../platform/pages/form.js';
import { Problem } from '../../platform/pages/messages.js';
import { pathWith } from '../../platform/pages/see-other.js';
import type { RuleSubject } from './rule-subjects.repository.js';

export const rulesPath = '/account/approval-rules';

interface Content {
  orgId: string;
  rules: readonly ApprovalRuleRow[];
  settings: ApprovalSettings;
  subjects: readonly RuleSubject[];
  /** Of rules, for those that are no longer among the subjects. */
  former: readonly RuleSubject[];
  operations: readonly string[];
}

interface RulesProps {
  signedIn: SignedIn;
  memberships: readonly Membership[];
  content?: Content;
  problem?: string;
}

export const RulesPage = ({ signedIn, memberships, content, problem }: RulesProps) => (
  <AccountPage signedIn={signedIn} place="/account/approval-rules">
    <h1>Approval rules</h1>
    <Problem>{problem}</Problem>
    {!content && <p class="panel soft">Only owners can see and change the approval rules of an organization.</p>}
    {content && memberships.length > 1 && <Organizations memberships={memberships} orgId={content.orgId} />}
    {content && (
      <>
        <Rules signedIn={signedIn} {...content} />
        <NewRule signedIn={signedIn} {...content} />
        <Settings signedIn={signedIn} {...content} />
      </>
    )}
  </AccountPage>
);

const Organizations = ({ memberships, orgId }: { memberships: readonly Membership[]; orgId: string }) => (
  <nav aria-label="Organization" class="places">
    <ul>
      {memberships.map((membership) => (
        <li key={membership.orgId}>
          <a
            href={pathWith(rulesPath, { org: membership.orgId })}
            aria-current={membership.orgId === orgId ? 'true' : undefined}
          >
            {membership.organization}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const modes: Record<ApprovalMode, string> = {
  ask: 'Ask a person first',
  forbid: 'Never',
  auto: 'Allow without asking',
};

const wide: Record<string, string> = {
  destructive: 'Destructive actions, and anything that would bypass this rule',
  write: 'Every change, and anything that would bypass this rule',
  secrets: 'Showing secrets',
  everything: 'Every change and every secret',
};

const Rules = ({ signedIn, orgId, rules, subjects, former }: Content & { signedIn: SignedIn }) => {
  const labels = new Map([...former, ...subjects].map(({ value, label }) => [value, label]));
  return (
    <section class="panel">
      <h2>Rules</h2>
      <p class="soft">
        A rule for one application or key overrides a rule for all of them, and a narrower rule overrides a wider one.
      </p>
      {rules.length === 0 && (
        <p>No rules. Nothing needs approval unless a person chose it when connecting an application.</p>
      )}
      <ul class="rows">
        {rules.map(({ id, who, userId, what, mode }) => {
          const subject = who === 'all' ? everyone : (labels.get(userId ? `${who} ${userId}` : who) ?? who);
          return (
            <li key={id}>
              <strong>{wide[what] ?? what}</strong>
              <small>
                {subject} · {modes[mode]}
              </small>
              <Form action={`${rulesPath}/remove`} owner={signedIn}>
                <input type="hidden" name="org" value={orgId} />
                <input type="hidden" name="rule_id" value={id} />
                <button aria-label={`Remove the rule about ${wide[what] ?? what} for ${subject}`}>Remove</button>
              </Form>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

const everyone = 'All applications and API keys';

const NewRule = ({ signedIn, orgId, subjects, operations }: Content & { signedIn: SignedIn }) => (
  <Form class="panel" action={`${rulesPath}/add`} owner={signedIn}>
    <h2>Add a rule</h2>
    <input type="hidden" name="org" value={orgId} />
    <label class="field" for="who">
      For
    </label>
    <select id="who" name="who">
      <option value="all">{everyone}</option>
      {subjects.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <label class="field" for="what">
      Applies to
    </label>
    <select id="what" name="what">
      {Object.entries(wide).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
      {operations.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
    <fieldset>
      <legend>What happens</legend>
      {Object.entries(modes).map(([value, label]) => (
        <label key={value} class="choice">
          <input type="radio" name="mode" value={value} checked={value === 'ask'} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
    <div class="actions one">
      <button class="primary">Add the rule</button>
    </div>
  </Form>
);

const Settings = ({ signedIn, orgId, settings }: Content & { signedIn: SignedIn }) => (
  <Form class="panel" action={`${rulesPath}/settings`} owner={signedIn}>
    <h2>Pending requests</h2>
    <input type="hidden" name="org" value={orgId} />
    <Field
      name="minutes"
      label="Minutes until a request expires"
      type="number"
      value={String(settings.minutes)}
      min={1}
      max={720}
    />
    <label class="choice below">
      <input type="checkbox" name="by_others" checked={settings.byOthers} />
      <span>Require a decision by someone other than the requester</span>
    </label>
    <div class="actions one">
      <button>Save</button>
    </div>
  </Form>
);
