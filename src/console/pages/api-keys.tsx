import { listApiKeys, revokeApiKey, rotateApiKey } from '../../auth/api-keys/api-keys.operations.js';
import { counted } from '../../platform/pages/counted.js';
import { getOrganization, updateOrganization } from '../../tenancy/organizations/organizations.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { Scopes } from '../parts/scopes.js';
import { State } from '../parts/words.js';
import { namesOf } from './names.js';

export const apiKeys: ConsolePage = {
  path: 'keys',
  title: 'API keys',
  needs: 'api-keys:read',
  forms: [
    form(revokeApiKey, 'The key was revoked and no longer works.', { isSensitive: true }),
    form(rotateApiKey, 'The key was rotated.', { isSensitive: true }),
    form(updateOrganization, 'The policy was saved.', { isSensitive: true }),
  ],
  async show(visit) {
    const page = await visit.list(listApiKeys, []);
    const members = await namesOf(visit, 'members');
    return (
      <>
        {visit.may('api-keys:manage') && (
          <p>
            <a class="button primary" href={`${visit.base}/keys/new`}>
              New key
            </a>
          </p>
        )}
        <List
          caption="API keys"
          page={page}
          empty="No keys yet."
          columns={[
            ['Key', ({ name, prefix }) => <NameAndPrefix {...{ name, prefix }} />],
            ['State', ({ status }) => <State is={status} />],
            [
              'Permissions',
              ({ scopes, propertyIds }) => (
                <Scopes
                  scopes={scopes}
                  also={propertyIds ? counted(propertyIds.length, 'property', 'properties') : 'all properties'}
                />
              ),
            ],
            ['Allowed addresses', ({ allowedAddresses }) => allowedAddresses?.join(', ') ?? 'any'],
            [
              'Created by',
              ({ createdBy }) => (createdBy === null ? 'an operator' : (members.get(createdBy) ?? 'a member')),
            ],
            ['Last used', ({ lastUsedAt }) => <Moment at={lastUsedAt} none="never" />],
            ['Ends', ({ expiresAt, revokedAt }) => <Moment at={revokedAt ?? expiresAt} none="never" />],
            [
              '',
              ({ id, name, status, successorId }) =>
                status === 'active' && (
                  <div class="acts">
                    {successorId === null && (
                      <Act
                        does={rotateApiKey}
                        to={{ keyId: id }}
                        label="Rotate"
                        of={name}
                        ask="Creates a new key. This key keeps working for 24 hours."
                      />
                    )}
                    <Act
                      does={revokeApiKey}
                      to={{ keyId: id }}
                      label="Revoke"
                      of={name}
                      ask="It stops working immediately and permanently."
                    />
                  </div>
                ),
            ],
          ]}
        />
        {visit.may('organization:read') && <Policy {...await visit.ask(getOrganization, {})} />}
      </>
    );
  },
};

/** What applies to every new key; each may be limited to addresses of its own. */
const Policy = ({ maxKeyDays }: { maxKeyDays: number | null }) => (
  <section class="panel">
    <h2>Policy</h2>
    <p>
      {maxKeyDays === null
        ? 'New keys may work until they are revoked.'
        : `New keys work for ${maxKeyDays} days at most.`}{' '}
      A key works from any address unless it is limited to some when it is created.
    </p>
    <div class="acts">
      <Act does={updateOrganization} label="Change the policy" ask="Applies to keys that are created from now on.">
        <Entry
          name="maxKeyDays"
          label="Longest lifetime of API keys (days)"
          value={maxKeyDays}
          hint="Leave empty for no limit."
        />
      </Act>
    </div>
  </section>
);

const NameAndPrefix = ({ name, prefix }: { name: string; prefix: string }) => (
  <>
    <strong>{name}</strong> <code>{prefix}…</code>
  </>
);
