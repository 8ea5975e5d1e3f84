import { enrollmentPath, type SignedIn } from '../accounts/session.js';
import { type Permission, type PermissionGroup, permissions } from '../../platform/callers/permissions.js';
import { Form } from '../../platform/pages/form.js';
import { pathWith } from '../../platform/pages/see-other.js';
import type { AskedApproval } from '../oauth/asked-approval.js';
import { offlineAccess } from '../oauth/scopes.js';
import { askBeforeChoices, type Choice, permissionsIn } from './consent.service.js';

interface ConsentProps {
  asked: AskedApproval;
  choices: Choice[];
  signedIn: SignedIn;
  path: string;
  problem?: string;
}

export const ConsentPage = ({ asked, choices, signedIn, path, problem }: ConsentProps) => (
  <Form class="panel" action={path} owner={signedIn}>
    <h1>{asked.clientName} requests access to your organization</h1>
    <Origin {...asked} />
    {problem && (
      <p class="notice" role="alert">
        {problem}
      </p>
    )}
    <Organizations choices={choices} />
    {groups.map(({ group, title }) => (
      <Group
        key={group}
        title={title}
        asked={permissionsIn(asked).filter((name) => permissions[name].group === group)}
      />
    ))}
    <AskBeforeChoice choices={choices} />
    <MissingFactor demanding={choices.filter(({ secondFactorMissing }) => secondFactorMissing)} path={path} />
    <div class="actions">
      <button name="decision" value="cancel" formnovalidate>
        Cancel
      </button>
      <button
        class="primary"
        name="decision"
        value="authorize"
        disabled={choices.every(({ isForbidden }) => isForbidden)}
      >
        Authorize
      </button>
    </div>
    <dl class="facts">
      <dt>Signed in as</dt>
      <dd>
        {signedIn.email} · <a href={pathWith('/sign-in', { return_to: path })}>switch account</a>
      </dd>
      <dt>Lasts</dt>
      <dd>
        {asked.scopes.includes(offlineAccess)
          ? 'until you revoke it, or until it is unused for 30 days'
          : 'one hour; then it must ask again'}
      </dd>
      <dt>Revoke</dt>
      <dd>
        at any time under <a href="/account/applications">connected applications</a>
      </dd>
    </dl>
  </Form>
);

/** It starts with the strictest that an earlier approval had, so that approving again loosens nothing by accident. */
const AskBeforeChoice = ({ choices }: { choices: Choice[] }) => {
  const names = askBeforeChoices.map(([name]) => name);
  const chosen = Math.max(0, ...choices.map(({ askBefore }) => names.indexOf(askBefore ?? 'nothing')));
  return (
    <fieldset>
      <legend>Ask me before</legend>
      {askBeforeChoices.map(([value, label], index) => (
        <label key={value} class="choice">
          <input name="askBefore" type="radio" value={value} checked={index === chosen} />
          <span>{label}</span>
        </label>
      ))}
      <p class="soft">These requests wait until you approve them on a page.</p>
    </fieldset>
  );
};

const groups: readonly { group: PermissionGroup; title: string }[] = [
  { group: 'see', title: 'It could see' },
  { group: 'change', title: 'It could change' },
  { group: 'sensitive', title: 'Sensitive' },
];

const Group = ({ title, asked }: { title: string; asked: Permission[] }) =>
  asked.length > 0 ? (
    <>
      <h2>{title}</h2>
      <ul class="permissions">
        {asked.map((name) => (
          <li key={name} class={permissions[name].group}>
            {permissions[name].description}
          </li>
        ))}
      </ul>
    </>
  ) : null;

/** Who it is that asks, as far as that is known: anyone can register under any name. */
const Origin = ({ clientId, redirectUri, verified }: AskedApproval) => {
  const { hostname, host } = new URL(redirectUri);
  const isOnDevice = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  const answer = isOnDevice ? 'through a program on this device, at' : 'at';
  const document = clientId.startsWith('https:') && new URL(clientId).host;
  return (
    <p class="soft">
      {verified ? 'It' : <Unverified document={document || undefined} />} will receive the response {answer}{' '}
      <strong>{host}</strong>.
      {isOnDevice && !verified && ' Any program can use this name: continue only if you just started it yourself.'}
    </p>
  );
};

const Unverified = ({ document }: { document?: string }) => (
  <>
    <span class="mark">unverified</span>{' '}
    {document ? (
      <>
        It is described at <strong>{document}</strong> and
      </>
    ) : (
      'It registered itself and'
    )}
  </>
);

const Organizations = ({ choices }: { choices: Choice[] }) =>
  choices.length === 0 ? (
    <p class="notice">
      You are not a member of any organization in this region, so the application has no organization to work in.
    </p>
  ) : (
    <fieldset>
      <legend>Organization</legend>
      {choices.map((choice) => (
        <label key={choice.orgId} class="choice">
          <input
            type="radio"
            name="organizationId"
            value={choice.orgId}
            required
            checked={choices.length === 1 && !choice.isForbidden}
            disabled={choice.isForbidden}
          />
          <span>
            {choice.name} <Notes {...choice} />
          </span>
        </label>
      ))}
    </fieldset>
  );

/** Everything that depends on the organization is inside its choice, so that the page needs no script. */
const Notes = ({ isForbidden, lacking, replaces, secondFactorMissing }: Choice) => (
  <span class="notes">
    {isForbidden && <small class="caution">Does not allow applications that registered themselves.</small>}
    {lacking.length > 0 && (
      <small class="lacking">
        You do not have these permissions here, so it does not get them:{' '}
        {lacking.map((name) => permissions[name].description).join('; ')}.
      </small>
    )}
    {replaces && <small class="caution">Replaces your approval of {dayOf(replaces)}; its earlier access ends.</small>}
    {secondFactorMissing && <small class="caution">Requires a second factor, which you do not have yet.</small>}
  </span>
);

/** Enrolment comes first, because everything that the application asks for is refused without it. It leads back here. */
const MissingFactor = ({ demanding, path }: { demanding: Choice[]; path: string }) =>
  demanding.length > 0 ? (
    <p class="notice">
      {demanding.map(({ name }) => name).join(', ')} {demanding.length === 1 ? 'requires' : 'require'} a second factor.
      First <a href={enrollmentPath(path)}>add one</a>; you return here afterwards. Until then, every request that the
      application makes there is rejected.
    </p>
  ) : null;

const dayOf = (time: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(time),
  );
