import { counted } from '../../../platform/pages/counted.js';
import type { EndedAccess, Named } from '../access-endings.service.js';

/**
 * The access that ended with a password: a number for what returns with the next sign-in, names for what has to be set
 * up again, and the access that did not end.
 */
export const Ended = ({ sessions, links, applications, keys, keptKeys }: EndedAccess) => (
  <>
    <p>
      {sessions + links + applications.length + keys.length === 0
        ? 'No other sessions, mailed links, connected applications or API keys had to be ended.'
        : `Ended: ${counted(sessions, 'session', 'sessions')}, ${counted(links, 'mailed link', 'mailed links')}, ${counted(applications.length, 'connected application', 'connected applications')}, ${counted(keys.length, 'API key', 'API keys')}.`}
    </p>
    {applications.length > 0 && (
      <>
        <p>These applications can no longer act for you. Connect the ones that you use again:</p>
        <Names named={applications} />
      </>
    )}
    {keys.length > 0 && (
      <>
        <p>These API keys, which applications had created, are revoked:</p>
        <Names named={keys} />
      </>
    )}
    {keptKeys.length > 0 && (
      <>
        <p>These API keys, which you created, keep working. Revoke those that you do not recognize under Security:</p>
        <Names named={keptKeys} />
      </>
    )}
  </>
);

const Names = ({ named }: { named: readonly Named[] }) => (
  <ul>
    {named.map(({ name, organization }) => (
      <li key={`${name} ${organization}`}>
        {name} in {organization}
      </li>
    ))}
  </ul>
);
