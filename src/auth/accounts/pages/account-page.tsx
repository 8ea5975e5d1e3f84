import type { ComponentChildren } from 'preact';
import { Form } from '../../../platform/pages/form.js';
import type { SignedIn } from '../session.js';

const places = {
  '/account': 'Overview',
  '/account/security': 'Security',
  '/account/applications': 'Applications',
  '/account/api-keys': 'API keys',
  '/account/approvals': 'Approvals',
  '/account/approval-rules': 'Approval rules',
} as const;

interface AccountPageProps {
  signedIn: SignedIn;
  /** Where in the navigation the page belongs. */
  place: keyof typeof places;
  children: ComponentChildren;
}

/** The frame of the account pages: the current page, the person, and a way to sign out. */
export const AccountPage = ({ signedIn, place, children }: AccountPageProps) => (
  <>
    <nav aria-label="Account" class="places">
      <ul>
        {Object.entries(places).map(([path, name]) => (
          <li key={path}>
            <a href={path} aria-current={path === place ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {children}
    <Form class="who" action="/sign-out" owner={signedIn}>
      <span class="soft">
        Signed in as <strong>{signedIn.email}</strong>
      </span>
      <button>Sign out</button>
    </Form>
  </>
);

/** A moment, to the minute; pages have no script that could tell it in the reader's own time zone. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)} UTC`}</time>
);
