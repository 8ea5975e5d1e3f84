/** `checkInDate` as people read it: Check in date. */
export const labelOf = (name: string): string => {
  const words = name
    .replace(/Ids?$/, (ending) => (ending === 'Ids' ? 's' : ''))
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type Names = ReadonlyMap<string, string>;

/** A value with names instead of ids. */
export function textOf(value: unknown, names: Names): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string')
    return names.get(value) ?? value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, '$1 $2 UTC');
  if (Array.isArray(value)) return listOf(value, names);
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, item]) => `${labelOf(name)}: ${textOf(item, names)}`)
    .join('; ');
}

/** A page of records says less than their number; what happens to each of them is among the changes. */
const mostNamed = 10;

function listOf(items: readonly unknown[], names: Names): string {
  if (items.length === 0) return '–';
  const named = items.slice(0, mostNamed).map((item) => textOf(item, names));
  const more = items.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** A field before and after. */
export const Change = ({ before, after, names }: { before: unknown; after: unknown; names: Names }) => {
  const [was, is] = [textOf(before, names), textOf(after, names)];
  if (was === '–') return <span>{is}</span>;
  return (
    <span>
      <del>{was}</del> <ins>{is}</ins>
    </span>
  );
};
