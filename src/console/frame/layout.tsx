import type { ComponentChildren } from 'preact';
import { ServiceError } from '#errors';
import { asset, sheet } from '../../platform/pages/assets.js';
import { Form } from '../../platform/pages/form.js';
import { Done, messageOf, Problem } from '../../platform/pages/messages.js';
import type { Frame } from '../../platform/pages/page.js';
import type { ConsolePage } from './console-page.js';
import { humanized } from './humanized.js';
import { places } from './places.js';
import { sentenceFor } from './sentences.js';
import { type Visit, VisitContext } from './visit.js';

const laidOver = sheet('console', new URL('../style/', import.meta.url), [
  'frame',
  'records',
  'lists',
  'forms',
  'pictures',
  'rooms',
  'calendar',
]);
const script = asset(new URL('./console.browser.js', import.meta.url));

/** How many there are of what a place lists, shown beside it. */
type Counts = Readonly<Record<string, number>>;

/** The frame of a page: the current place, the person and the navigation. */
export const frameOf = (page: ConsolePage, visit: Visit, counts: Counts): Frame => ({
  sheet: laidOver,
  script,
  live: page.isLive ? `${visit.base}/live` : undefined,
  before: (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header visit={visit} />
      <Navigation page={page} visit={visit} counts={counts} />
    </>
  ),
});

const Header = ({ visit: { signedIn, membership, memberships, base } }: { visit: Visit }) => (
  <header class="top">
    <a class="menu button" href="#menu">
      Menu
    </a>
    <a class="organization" href={base}>
      {membership.organization}
    </a>
    <details class="who">
      <summary>{signedIn.name}</summary>
      <div class="panel">
        <p class="soft">
          {signedIn.email}, {membership.role}
        </p>
        <ul>
          <li>
            <a href="/account">Your account</a>
          </li>
          {memberships
            .filter(({ slug }) => slug !== membership.slug)
            .map(({ slug, organization }) => (
              <li key={slug}>
                <a href={`/console/${slug}`}>{organization}</a>
              </li>
            ))}
        </ul>
        <Form action="/sign-out" owner={signedIn}>
          <button>Sign out</button>
        </Form>
      </div>
    </details>
  </header>
);

/** Leads only where the person's role permits. */
const Navigation = ({ page, visit: { base, may }, counts }: { page: ConsolePage; visit: Visit; counts: Counts }) => (
  <nav id="menu" aria-label="Console" class="side">
    <a class="close button" href="#main">
      Close
    </a>
    {places.map(({ group, entries }) => {
      const open = entries.filter(({ needs }) => !needs || may(needs));
      return open.length > 0 ? (
        <section key={group}>
          {group && <h2>{group}</h2>}
          <ul>
            {open.map(({ path, title }) => (
              <li key={path}>
                <a
                  href={`${base}${path && `/${path}`}`}
                  aria-current={page.path.split('/')[0] === path ? 'page' : undefined}
                >
                  {title}
                  {counts[path] ? <span class="count">{counts[path]}</span> : null}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ) : null;
    })}
  </nav>
);

/** A page with what was done or refused on it; instead of the page, what its operations refuse to show. */
export const Shown = ({
  page,
  visit,
  content,
}: {
  page: ConsolePage;
  visit: Visit;
  content: ComponentChildren | ServiceError;
}) => {
  const { refused, done, made, membership } = visit;
  const fields = Object.entries(refused?.problems ?? {});
  return (
    <VisitContext.Provider value={visit}>
      <Above page={page} visit={visit} />
      <h1>{page.title}</h1>
      {refused && (
        <Problem>
          {refused.message || 'Nothing was changed. Correct the marked fields and try again.'}
          {fields.length > 0 && ` ${fields.map(([name, problem]) => `${humanized(name)}: ${problem}`).join(' ')}`}
          {refused.stays.map(({ id, name }) => (
            <>
              {' '}
              <a href={`${visit.base}/reservations/${id}`}>{name}</a>
            </>
          ))}
        </Problem>
      )}
      <Done>{done}</Done>
      {made && <Secret {...made} />}
      {content instanceof ServiceError ? <Refusal error={content} visit={visit} /> : content}
      <p class="soft foot">
        {page.isLocal ? 'Times are local to each property.' : `Times are in ${membership.timezone}.`}
      </p>
    </VisitContext.Provider>
  );
};

/** The way up from a record to its list. */
const Above = ({ page, visit: { base } }: { page: ConsolePage; visit: Visit }) => {
  const [first, ...below] = page.path.split('/');
  const above = places.flatMap(({ entries }) => entries).find(({ path }) => path === first);
  return below.length > 0 && above ? (
    <p class="above">
      <a href={`${base}/${above.path}`}>← {above.title}</a>
    </p>
  ) : null;
};

const Secret = ({ title, secret }: { title: string; secret: string | null }) => (
  <section class="panel" role="status">
    <h2>{title}: done</h2>
    {secret === null ? (
      <p class="notice">It was shown a minute ago and is now hidden. Create a new one if you did not copy it.</p>
    ) : (
      <>
        <p class="notice">Copy it now. It is shown only once.</p>
        <p>
          <code id="key" class="copy">
            {secret}
          </code>
        </p>
      </>
    )}
  </section>
);

const Refusal = ({ error, visit: { path, base } }: { error: ServiceError; visit: Visit }) => (
  <section class="panel">
    <p role="alert">{sentenceFor(error) ?? messageOf(error)}</p>
    <p class="below">
      {error.status === 400 ? <a href={path}>Show without filters</a> : <a href={base}>Go to Home</a>}
    </p>
  </section>
);
