import type { Caller } from '#access';
import type { Page } from '#operations';
import { AccountPage, Moment } from '../accounts/pages/account-page.js';
import { confirmationPath, enrollmentPath, isFresh, type SignedIn } from '../accounts/session.js';
import type { Membership } from '../../tenancy/members/memberships.repository.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { counted } from '../../platform/pages/counted.js';
import { Form } from '../../platform/pages/form.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { Done, Problem } from '../../platform/pages/messages.js';
import { pathWith } from '../../platform/pages/see-other.js';
import type { ApiKey } from '../api-keys/api-key.entity.js';
import { NewKeyForm } from './new-key-form.views.js';

const happened = {
  revoked: 'The key was revoked and no longer works.',
  made: 'The key was created. It is no longer shown: if you did not copy it, rotate it.',
} as const;
export type Happened = keyof typeof happened;

interface ApiKeysProps {
  signedIn: SignedIn;
  memberships: readonly Membership[];
  caller?: Caller;
  /** Not there where the person may not see them. */
  keys: Page<ApiKey> | false | undefined;
  /** The names of those who created the keys, by their ids, where the person may see them. */
  makers: ReadonlyMap<string, string>;
  maxKeyDays: number | null;
  properties: readonly Property[];
  problem?: string;
  /** What was typed into the form that has the problem. */
  typed?: Fields;
  done?: Happened;
  made?: ApiKey & { key: string };
}

export const ApiKeysPage = ({
  signedIn,
  memberships,
  caller,
  keys,
  makers,
  maxKeyDays,
  properties,
  problem,
  typed,
  done,
  made,
}: ApiKeysProps) => (
  <AccountPage signedIn={signedIn} place="/account/api-keys">
    <h1>API keys</h1>
    <Problem>{problem}</Problem>
    <Done>{done && happened[done]}</Done>
    {made && <MadeKey name={made.name} apiKey={made.key} />}
    {!caller && <p class="panel soft">None of your roles lets you manage API keys. Ask an owner or a manager.</p>}
    {caller && memberships.length > 1 && <Organizations memberships={memberships} orgId={caller.orgId} />}
    {caller?.secondFactorMissing && (
      <p class="notice">
        This organization requires a second factor:{' '}
        <a href={enrollmentPath(pathWith('/account/api-keys', { org: caller.orgId }))}>add one</a> to manage its keys.
      </p>
    )}
    {caller && keys && (
      <>
        <Keys signedIn={signedIn} orgId={caller.orgId} keys={keys} makers={makers} />
        {isFresh(signedIn) ? (
          <NewKeyForm {...{ signedIn, caller, properties, maxKeyDays, typed }} />
        ) : (
          <p class="panel">
            <a href={confirmationPath(pathWith('/account/api-keys', { org: caller.orgId }))}>Confirm that it is you</a>{' '}
            to create, rotate or revoke keys.
          </p>
        )}
      </>
    )}
  </AccountPage>
);

const MadeKey = ({ name, apiKey }: { name: string; apiKey: string }) => (
  <section class="panel" role="status">
    <h2>The key “{name}”</h2>
    <p class="notice">Copy it now. It is shown only once.</p>
    <p>
      <code id="key">{apiKey}</code>
    </p>
  </section>
);

const Organizations = ({ memberships, orgId }: { memberships: readonly Membership[]; orgId: string }) => (
  <nav aria-label="Organization" class="places">
    <ul>
      {memberships.map((membership) => (
        <li key={membership.orgId}>
          <a
            href={pathWith('/account/api-keys', { org: membership.orgId })}
            aria-current={membership.orgId === orgId ? 'true' : undefined}
          >
            {membership.organization}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

interface KeysProps {
  signedIn: SignedIn;
  orgId: string;
  keys: Page<ApiKey>;
  makers: ReadonlyMap<string, string>;
}

const Keys = ({ signedIn, orgId, keys: { items, nextCursor }, makers }: KeysProps) => (
  <section class="panel">
    <h2>Keys</h2>
    {items.length === 0 && <p class="soft">No keys yet.</p>}
    <ul class="rows">
      {items.map((key) => (
        <li key={key.id}>
          <strong>{key.name}</strong>
          <small>
            <code>{key.prefix}…</code> · {key.status}
            {key.expiresAt && key.status === 'active' && (
              <>
                {' '}
                until <Moment at={key.expiresAt} />
              </>
            )}
          </small>
          <small>
            {key.lastUsedAt ? (
              <>
                Last used <Moment at={key.lastUsedAt} />
                {key.lastUsedFrom && ` from ${key.lastUsedFrom}`}
                {key.lastUsedAgent && ` with ${key.lastUsedAgent}`}
              </>
            ) : (
              'Never used'
            )}{' '}
            · {counted(key.scopes.length, 'permission', 'permissions')} ·{' '}
            {key.propertyIds ? counted(key.propertyIds.length, 'property', 'properties') : 'all properties'} ·{' '}
            {key.ratePerMinute} requests per minute
            {key.allowedAddresses && ` · works from ${key.allowedAddresses.join(', ')}`}
          </small>
          <small>{madeBy(key, makers)}</small>
          {key.status === 'active' && <KeyActions signedIn={signedIn} orgId={orgId} apiKey={key} />}
        </li>
      ))}
    </ul>
    {nextCursor && (
      <p class="below">
        <a href={pathWith('/account/api-keys', { org: orgId, cursor: nextCursor })}>More keys</a>
      </p>
    )}
  </section>
);

function madeBy({ createdBy, applicationId }: ApiKey, makers: ReadonlyMap<string, string>): string {
  const maker = createdBy === null ? 'an operator' : (makers.get(createdBy) ?? 'a member');
  return `Created by ${maker}${applicationId ? ', through a connected application' : ''}`;
}

const KeyActions = ({ signedIn, orgId, apiKey }: { signedIn: SignedIn; orgId: string; apiKey: ApiKey }) => {
  const [title, hint, verbs] = apiKey.successorId ? rotated : rotatable;
  return (
    <details>
      <summary aria-label={`${title} ${apiKey.name}`}>{title}</summary>
      <p class="soft">{hint}</p>
      <div class="links">
        {verbs.map((verb) => (
          <Form key={verb} action={`/account/api-keys/${verb}`} owner={signedIn}>
            <input type="hidden" name="org" value={orgId} />
            <input type="hidden" name="key_id" value={apiKey.id} />
            <button aria-label={`${titles[verb]} ${apiKey.name}`}>{titles[verb]}</button>
          </Form>
        ))}
      </div>
    </details>
  );
};

const rotatable = [
  'Rotate or revoke',
  'Rotating creates a new key; this one keeps working for a day. Revoking ends it immediately and permanently.',
  ['rotate', 'revoke'],
] as const;
const rotated = [
  'Revoke',
  'This key was rotated. Revoking ends it immediately; its successor keeps working.',
  ['revoke'],
] as const;

const titles = { rotate: 'Rotate', revoke: 'Revoke' } as const;
