import type { ComponentChildren } from 'preact';
import { humanized } from '../frame/humanized.js';
import { useVisit } from '../frame/visit.js';

export { humanized, inWords } from '../frame/humanized.js';

/** An id that one click selects, and another copies where scripts run. */
export const Id = ({ id }: { id: string }) => (
  <code class="id copy" title={id}>
    {id}
  </code>
);

/** The time of a moment that is local to a property; the date on hovering. */
export const Local = ({ at }: { at: string }) => (
  <time datetime={at} title={`${at.replace('T', ', ')}, local to the property`}>
    {at.slice(11)}
  </time>
);

const good = ['active', 'enabled', 'succeeded', 'completed', 'connected', 'online', 'sent', 'published', 'delivered'];
const bad = [
  'failed',
  'revoked',
  'disabled',
  'degraded',
  'error',
  'offline',
  'suspended',
  'bounced',
  'dead',
  'overdue',
];

interface StateProps {
  is: string | null | undefined;
  /** It changes within seconds and without an event, so a live page looks again. */
  isMoving?: boolean;
}

/** A state in one word; its colour repeats what the word says. */
export const State = ({ is, isMoving }: StateProps) =>
  is ? (
    <span class={`state ${good.includes(is) ? 'good' : bad.includes(is) ? 'bad' : ''} ${isMoving ? 'moving' : ''}`}>
      {humanized(is)}
    </span>
  ) : (
    <>–</>
  );

/** A link to another page of the console. */
export const To = ({ page, children }: { page: string; children: ComponentChildren }) => (
  <a href={`${useVisit().base}/${page}`}>{children}</a>
);
