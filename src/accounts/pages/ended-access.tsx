import type { EndedAccess, Named } from '../access-endings.service.js';

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What ended with a password: by number what comes back with the next sign-in, by name what has to be set up again. */
export const Ended = ({ sessions, links, applications }: EndedAccess) => (
  <>
    <p>
      {`Ended: ${counted(sessions, 'session', 'sessions')}, ${counted(links, 'mailed link', 'mailed links')}, ${counted(applications.length, 'connected application', 'connected applications')}.`}
    </p>
    {applications.length > 0 && (
      <>
        <p>These applications can no longer act for you. Connect again the ones that you use:</p>
        <Names named={applications} />
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
