import type { ComponentChildren } from 'preact';
import type { Page } from '#operations';
import { pathWith } from '../../platform/pages/see-other.js';
import { useVisit } from '../frame/visit.js';

/** A heading, and what a row shows below it. */
export type Column<Item> = readonly [heading: string, show: (item: Item) => ComponentChildren];

interface TableProps<Item> {
  /** What the table lists, for those who do not see it. */
  caption: string;
  items: readonly Item[];
  columns: readonly Column<Item>[];
  /** Instead of an empty table. */
  empty?: string;
}

/** Rows and columns; on a narrow window each row is a card, whose headings its cells repeat. */
export function Table<Item>({ caption, items, columns, empty = 'None.' }: TableProps<Item>) {
  if (items.length === 0) return <p class="soft">{empty}</p>;
  return (
    <table class="list">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(([heading]) => (
            <th key={heading} scope="col">
              {heading || <span class="unseen">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, at) => (
          <tr key={at}>
            {columns.map(([heading, show]) => (
              <td key={heading} data-label={heading || undefined}>
                <div>{show(item)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A page of a list, with the way to the next one. */
export const List = <Item,>({ page, ...table }: Omit<TableProps<Item>, 'items'> & { page: Page<Item> }) => (
  <>
    <Table {...table} items={page.items} />
    <More after={page} />
  </>
);

interface MoreProps {
  after: Pick<Page<unknown>, 'nextCursor'>;
  label?: string;
  /** The field of the address that says where the page begins. */
  name?: string;
}

/** The way to the next page of a list, where there is one. */
export const More = ({ after: { nextCursor }, label = 'More', name = 'cursor' }: MoreProps) => {
  const { path, query } = useVisit();
  return nextCursor === null ? null : (
    <p class="below">
      <a class="button" href={pathWith(path, { ...query, [name]: nextCursor })}>
        {label}
      </a>
    </p>
  );
};

const isKnown = (value: ComponentChildren): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false;

/** What is known about one record; what is not known has no line. */
export const Facts = ({ of }: { of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="facts">
    {Object.entries(of)
      .filter(([, value]) => isKnown(value))
      .map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
  </dl>
);
