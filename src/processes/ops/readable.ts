/** A value for a person: a field a line, what is inside indented, an empty line between the records of a list. */
export function readable(value: unknown, indent = ''): string {
  if (isLeaf(value)) return indent + leaf(value);
  if (Array.isArray(value)) return value.map((item) => readable(item, indent)).join('\n\n');
  return Object.entries(value)
    .map(([name, inner]) =>
      isLeaf(inner)
        ? `${indent}${name}: ${field(name, inner)}`
        : `${indent}${name}:\n${readable(inner, `${indent}  `)}`,
    )
    .join('\n');
}

type Scalar = string | number | boolean | null | undefined;

const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;
const isLeaf = (value: unknown): value is Scalar | Scalar[] | Record<string, never> =>
  isScalar(value) || (Array.isArray(value) ? value.every(isScalar) : Object.keys(value).length === 0);

/** Fields that limit something: without a value, they allow everything. */
const limits = ['propertyIds', 'allowedAddresses'];

const field = (name: string, value: Scalar | Scalar[] | Record<string, never>): string =>
  limits.includes(name) && value === null ? 'all' : leaf(value);

const leaf = (value: Scalar | Scalar[] | Record<string, never>): string => {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return isScalar(value) ? String(value ?? 'none') : 'none';
};

const widest = 48;

/** A list for a person: a line for each record, the fields below one another. */
export function tableOf(records: readonly object[], columns: readonly string[]): string {
  if (records.length === 0) return 'none';
  const rows = [columns, ...records.map((record) => columns.map((column) => cell(record, column)))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => [...(row[index] as string)].length)));
  return rows
    .map((row) =>
      row
        .map((text, index) => padded(text, widths[index]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(record: object, column: string): string {
  const value = (record as Record<string, Scalar | Scalar[]>)[column];
  const text = field(column, value ?? null).replaceAll(/\s+/g, ' ');
  return [...text].length > widest ? `${[...text].slice(0, widest - 1).join('')}…` : text;
}

const padded = (text: string, width = 0): string => text + ' '.repeat(width - [...text].length);
