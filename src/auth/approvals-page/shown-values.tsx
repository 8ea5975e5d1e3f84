import type { ComponentChildren } from 'preact';
import { isSameValue } from '#persistence';
import { isNothing, isRecord } from './tidy.js';

/** `checkInDate` as people read it: Check-in date. */
export const labelOf = (name: string): string => {
  const words = name
    .replace(/Ids?$/, (ending) => (ending === 'Ids' ? 's' : ''))
    .replace(/([^aeiou])ys$/, '$1ies')
    .replace(/Ref(s?)$/, 'Reference$1')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\bcheck (in|out) /, 'check-$1 ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type Names = ReadonlyMap<string, string>;

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Moments are shown in one zone, with whatever offset they were sent; other texts stay as they are. */
function withMoment(text: string): string {
  const at = isMoment.test(text) ? new Date(text) : undefined;
  return !at || Number.isNaN(at.getTime()) ? text : at.toISOString().replace(/T(\d\d:\d\d).*/, ' $1 UTC');
}

const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text in which characters can be seen that would show it in another order than it has. */
export const inOrder = (text: string): string =>
  text.replaceAll(directions, (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase()}]`);

function textOf(value: unknown, names: Names): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value);
  return inOrder(names.get(value) ?? withMoment(value));
}

/** The rest of a longer list opens with a click. */
const mostAtOnce = 10;

interface ValueProps {
  of: unknown;
  names: Names;
}

/**
 * A value with names instead of ids. Each text is isolated, and each field is in its own row: whatever characters a
 * text has, it cannot pass for another field or turn the rest around.
 */
export const Value = ({ of, names }: ValueProps) => {
  if (isNothing(of)) return <>–</>;
  if (Array.isArray(of)) return of.some(isRecord) ? <Items of={of} names={names} /> : <Texts of={of} names={names} />;
  if (!isRecord(of)) return <bdi>{textOf(of, names)}</bdi>;
  return (
    <ul>
      {Object.entries(of).map(([name, item]) => (
        <li key={name}>
          {labelOf(name)}: <Value of={item} names={names} />
        </li>
      ))}
    </ul>
  );
};

const Texts = ({ of, names }: { of: readonly unknown[]; names: Names }) => {
  const texts = of.map((item, index) => (
    <>
      {index > 0 && ', '}
      <Value of={item} names={names} />
    </>
  ));
  return (
    <>
      {texts.slice(0, mostAtOnce)}
      <Rest of={texts.slice(mostAtOnce)}>{texts.slice(mostAtOnce)}</Rest>
    </>
  );
};

/** One item needs no number. */
const Items = ({ of, names }: { of: readonly unknown[]; names: Names }) => {
  if (of.length === 1) return <Value of={of[0]} names={names} />;
  const items = of.map((item, index) => (
    <li key={index} value={index + 1}>
      <Value of={item} names={names} />
    </li>
  ));
  return (
    <>
      <ol>{items.slice(0, mostAtOnce)}</ol>
      <Rest of={items.slice(mostAtOnce)}>
        <ol>{items.slice(mostAtOnce)}</ol>
      </Rest>
    </>
  );
};

const Rest = ({ of, children }: { of: readonly unknown[]; children: ComponentChildren }) =>
  of.length === 0 ? null : (
    <details class="opens">
      <summary>{`${of.length} more`}</summary>
      {children}
    </details>
  );

interface ChangeProps {
  before: unknown;
  after: unknown;
  names: Names;
}

/** A value before and after: of values with fields of their own, only what differs. */
export const Change = ({ before, after, names }: ChangeProps) => {
  if (isNothing(before)) return <Value of={after} names={names} />;
  if (isRecord(before) && isRecord(after)) return <FieldChanges before={before} after={after} names={names} />;
  if (areRecords(before) && areRecords(after)) return <ItemChanges before={before} after={after} names={names} />;
  return (
    <>
      <del>
        <Value of={before} names={names} />
      </del>{' '}
      <ins>
        <Value of={after} names={names} />
      </ins>
    </>
  );
};

const areRecords = (value: unknown): value is readonly Fields[] => Array.isArray(value) && value.every(isRecord);

type Fields = Record<string, unknown>;

/** Fields by which people know an item, which are shown also where they do not differ. */
const naming = new Set(['name', 'title', 'unitId', 'unitTypeId', 'date']);

const FieldChanges = ({ before, after, names }: { before: Fields; after: Fields; names: Names }) => {
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <ul>
      {all
        .filter((name) => naming.has(name) || !isSameValue(before[name], after[name]))
        .map((name) => (
          <li key={name}>
            {labelOf(name)}:{' '}
            {isSameValue(before[name], after[name]) ? (
              <Value of={after[name]} names={names} />
            ) : (
              <Change before={before[name]} after={after[name]} names={names} />
            )}
          </li>
        ))}
    </ul>
  );
};

/** Items are compared at their places in the list. */
const ItemChanges = ({
  before,
  after,
  names,
}: {
  before: readonly Fields[];
  after: readonly Fields[];
  names: Names;
}) => (
  <ol>
    {Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
      const [was, is] = [before[index], after[index]];
      if (isSameValue(was, is)) return null;
      return (
        <li key={index} value={index + 1}>
          {was && is && <FieldChanges before={was} after={is} names={names} />}
          {was && !is && (
            <del>
              <Value of={was} names={names} />
            </del>
          )}
          {is && !was && (
            <ins>
              <Value of={is} names={names} />
            </ins>
          )}
        </li>
      );
    })}
  </ol>
);
