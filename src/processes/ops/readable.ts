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
