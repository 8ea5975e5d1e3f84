import { Form } from '../../../platform/pages/form.js';
import type { SessionView, SignedIn } from '../session.js';
import type { SignInView } from '../sign-in-history.service.js';
import { Moment } from './account-page.js';

/** The sessions of a person, each of which can be ended. */
export const Sessions = ({ signedIn, sessions }: { signedIn: SignedIn; sessions: readonly SessionView[] }) => (
  <section class="panel">
    <h2>Where you are signed in</h2>
    <ul class="rows">
      {sessions.map(({ id, userAgent, ip, createdAt, lastSeenAt }) => (
        <li key={id}>
          <strong>{id === signedIn.sessionId ? 'This browser' : browserName(userAgent)}</strong>
          <small>
            {ip} · since <Moment at={createdAt} /> · last seen <Moment at={lastSeenAt} />
          </small>
          {id !== signedIn.sessionId && (
            <Form action="/account/security/sessions/end" owner={signedIn}>
              <input type="hidden" name="session_id" value={id} />
              <button aria-label={`Sign out ${browserName(userAgent)} at ${ip}`}>Sign out</button>
            </Form>
          )}
        </li>
      ))}
    </ul>
    <Form action="/account/security/sessions/end-all" owner={signedIn}>
      <div class="actions one">
        <button>Sign out everywhere</button>
      </div>
    </Form>
  </section>
);

const outcomes: Record<SignInView['outcome'], string> = {
  'signed-in': 'Signed in',
  'wrong-password': 'Wrong password',
  'wrong-factor': 'Right password, wrong second factor',
};

export const History = ({ history }: { history: readonly SignInView[] }) => (
  <section class="panel">
    <h2>Recent sign-ins</h2>
    <p class="soft">Of the last 90 days. If one was not you, change your password.</p>
    <ul class="rows">
      {history.map(({ outcome, ip, userAgent, createdAt }) => (
        <li key={createdAt}>
          <strong>{outcomes[outcome]}</strong>
          <small>
            <Moment at={createdAt} /> · {browserName(userAgent)} · {ip}
          </small>
        </li>
      ))}
    </ul>
  </section>
);

/** The browser and system that a User-Agent names, as far as a person needs them. */
function browserName(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1] ?? 'Another client';
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1];
  const known: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
  return system ? `${known[browser] ?? browser} on ${system}` : browser;
}
