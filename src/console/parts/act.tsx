import type { ComponentChildren } from 'preact';
import { isWithinReach, type Operation } from '#operations';
import type { Permission } from '../../platform/callers/permissions.js';
import { Form } from '../../platform/pages/form.js';
import { useVisit } from '../frame/visit.js';
import { AroundEntries } from './entry.js';

interface ActProps {
  does: Operation;
  /** What it is done to: fields that nobody types. */
  to?: Readonly<Record<string, string | number | boolean | null>>;
  /** What the button says. */
  label: string;
  /** To whom or what, where several buttons of a page say the same. */
  of?: string;
  /** It is asked again, with this sentence: it takes something away, or needs what is typed below. */
  ask?: string;
  isPrimary?: boolean;
  /** It takes something away. What is only asked again does so in any case. */
  isDangerous?: boolean;
  children?: ComponentChildren;
}

/** Whether the person's role and properties permit an operation. */
function useAllowed(does: Operation): boolean {
  const { caller, may } = useVisit();
  return (!does.scope || may(does.scope as Permission)) && isWithinReach(caller, does);
}

/** A form for one operation. It is left out for people whom the operation would reject. */
export const Act = ({ does, to = {}, label, of, ask, isPrimary, isDangerous, children }: ActProps) => {
  const { signedIn, here, refused } = useVisit();
  if (!useAllowed(does)) return null;
  const fixed = Object.entries(to).map(([name, value]) => [name, String(value ?? '')] as const);
  const isRefused = refused?.operation === does.name && fixed.every(([name, value]) => refused.typed[name] === value);
  const name = of && `${label} ${of}`;
  const looksDangerous = isDangerous ?? (ask !== undefined && children === undefined);
  const button = (
    <button class={looksDangerous ? 'danger' : isPrimary ? 'primary' : undefined} aria-label={name}>
      {label}
    </button>
  );
  const filled = (
    <Form class="act" action={here} owner={signedIn}>
      <input type="hidden" name="operation" value={does.name} />
      {fixed.map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      {ask && <p>{ask}</p>}
      <AroundEntries.Provider
        value={{
          operation: does,
          prefix: `${does.name}-${fixed.map(([, value]) => value).join('-')}-`.replaceAll(/[^\w-]/g, '_'),
          refused: isRefused ? refused : undefined,
        }}
      >
        {children}
      </AroundEntries.Provider>
      {button}
    </Form>
  );
  return ask ? (
    <details class={looksDangerous ? 'asked danger' : 'asked'} open={isRefused}>
      <summary aria-label={name && `${name}…`}>{label}…</summary>
      {filled}
    </details>
  ) : (
    filled
  );
};

interface FoldedProps {
  title: string;
  isOpen?: boolean;
  children: ComponentChildren;
}

/** A rarely used form with several fields, which opens with a click. */
export const Folded = ({ title, isOpen, children }: FoldedProps) => (
  <details class="folded" open={isOpen}>
    <summary>{title}</summary>
    {children}
  </details>
);

/** A form that opens with a click, for people whom its operation would not reject. */
export const FoldedAct = ({ does, ...folded }: FoldedProps & { does: Operation }) =>
  useAllowed(does) ? <Folded {...folded} /> : null;
