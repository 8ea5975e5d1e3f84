import type { PersonKey } from '../../api-keys/person-keys.service.js';
import { Form } from '../../../platform/pages/form.js';
import type { SignedIn } from '../session.js';
import { Moment } from './account-page.js';
import { latest } from './approved-before.js';

interface OwnKeysProps {
  signedIn: SignedIn;
  keys: readonly PersonKey[];
}

/** The API keys that a person created in all their organizations, whether or not their role still manages keys there. */
export const OwnKeys = ({ signedIn, keys }: OwnKeysProps) =>
  keys.length > 0 ? (
    <section class="panel">
      <h2>API keys that you created</h2>
      <p class="soft">
        They keep working when you change your password. Revoke those that you do not recognize: someone who had your
        password could have created them.
      </p>
      <ul class="rows">
        {keys.map(({ id, name, organization, createdAt, lastUsedAt, lastUsedFrom }) => (
          <li key={id}>
            <strong>{name}</strong>
            <small>
              in {organization} · created <Moment at={createdAt} /> ·{' '}
              {lastUsedAt ? (
                <>
                  last used <Moment at={lastUsedAt} />
                  {lastUsedFrom && ` from ${lastUsedFrom}`}
                </>
              ) : (
                'never used'
              )}
            </small>
            <Form action="/account/security/keys/revoke" owner={signedIn}>
              <input type="hidden" name="key_id" value={id} />
              <button aria-label={`Revoke ${name} in ${organization}`}>Revoke</button>
            </Form>
          </li>
        ))}
      </ul>
      <Form action="/account/security/keys/revoke-all" owner={signedIn}>
        <input type="hidden" name="created_before" value={latest(keys)} />
        <div class="actions one">
          <button>Revoke all of them</button>
        </div>
      </Form>
    </section>
  ) : null;
