/** `checkInDate` as people read it: Check in date. */
export const labelOf = (name: string): string => {
  const words = name
    .replace(/Ids?$/, (ending) => (ending === 'Ids' ? 's' : ''))
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type Names = ReadonlyMap<string, string>;

const nothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function textOf(value: unknown, names: Names): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value);
  return names.get(value) ?? value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, '$1 $2 UTC');
}

/** A page of records says less than their number; what happens to each of them is among the changes. */
const mostNamed = 10;

interface ValueProps {
  of: unknown;
  names: Names;
}

/**
 * A value with names instead of ids. Each text is isolated, and each field is in its own row: whatever characters a
 * text has, it cannot pass for another field or turn the rest around.
 */
export const Value = ({ of, names }: ValueProps) => {
  if (nothing(of)) return <>–</>;
  if (Array.isArray(of)) return <List of={of} names={names} />;
  if (typeof of !== 'object') return <bdi>{textOf(of, names)}</bdi>;
  return (
    <ul>
      {Object.entries(of as object).map(([name, item]) => (
        <li key={name}>
          {labelOf(name)}: <Value of={item} names={names} />
        </li>
      ))}
    </ul>
  );
};

const List = ({ of, names }: { of: readonly unknown[]; names: Names }) => {
  const more = of.length - mostNamed;
  return (
    <>
      {of.slice(0, mostNamed).map((item, index) => (
        <>
          {index > 0 && ', '}
          <Value of={item} names={names} />
        </>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
};

/** A field before and after. */
export const Change = ({ before, after, names }: { before: unknown; after: unknown; names: Names }) =>
  nothing(before) ? (
    <Value of={after} names={names} />
  ) : (
    <>
      <del>
        <Value of={before} names={names} />
      </del>{' '}
      <ins>
        <Value of={after} names={names} />
      </ins>
    </>
  );
