import type { ComponentChildren, VNode } from 'preact';

/** Where a link of a page leads, and undefined if it leads nowhere on this service. */
export type Links = (target: string) => string | undefined;
interface Lines {
  lines: readonly string[];
  links: Links;
}

const starts = {
  fence: /^```/,
  comment: /^<!--/,
  heading: /^(#{1,6}) (.*)$/,
  table: /^\|/,
  item: /^(?:[-*]|\d+\.) +/,
};
const isStart = (line: string): boolean => Object.values(starts).some((start) => start.test(line));

/** The Markdown that our guides use, as a page: headings, paragraphs, lists, tables and code. */
export function markdown(text: string, links: Links): VNode[] {
  const lines = text.split('\n');
  /** The next lines, as long as they continue. */
  const take = (goesOn: (line: string) => boolean): string[] => {
    const end = lines.findIndex((line) => !goesOn(line));
    return lines.splice(0, end === -1 ? lines.length : end);
  };
  const nodes: VNode[] = [];
  const ids = new Set<string>();
  while (lines.length > 0) {
    const [line = ''] = lines;
    const [, level, heading = ''] = starts.heading.exec(line) ?? [];
    if (line.trim() === '' || starts.comment.test(line)) lines.shift();
    else if (level) {
      const Heading = `h${level.length}` as 'h1';
      nodes.push(<Heading id={slugOf(heading)}>{inline(heading, links)}</Heading>);
      lines.shift();
    } else if (starts.fence.test(line)) {
      lines.shift();
      nodes.push(<pre>{take((one) => !starts.fence.test(one)).join('\n')}</pre>);
      lines.shift();
    } else if (starts.table.test(line))
      nodes.push(<Table lines={take((one) => starts.table.test(one))} links={links} ids={ids} />);
    else if (starts.item.test(line))
      nodes.push(
        <List lines={take((one) => starts.item.test(one) || (one.trim() !== '' && !isStart(one)))} links={links} />,
      );
    else {
      // The first line is taken whatever it is, so that each round gets further.
      const paragraph = [lines.shift() as string, ...take((one) => one.trim() !== '' && !isStart(one))];
      nodes.push(<p>{inline(paragraph.join('\n'), links)}</p>);
    }
  }
  return nodes;
}

/** A row can be linked to by the first code in it, such as NIGHTS_TAKEN. */
const Table = ({ lines: [head = '', , ...rows], links, ids }: Lines & { ids: Set<string> }) => (
  <table>
    <tr>
      {cellsOf(head).map((cell) => (
        <th>{inline(cell, links)}</th>
      ))}
    </tr>
    {rows.map((row) => (
      <tr id={idOf(row, ids)}>
        {cellsOf(row).map((cell) => (
          <td>{inline(cell, links)}</td>
        ))}
      </tr>
    ))}
  </table>
);

function idOf(row: string, ids: Set<string>): string | undefined {
  const [, code = ''] = /`([A-Z][A-Z0-9_]+)`/.exec(row) ?? [];
  if (code === '' || ids.has(code)) return undefined;
  ids.add(code);
  return code;
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

function List({ lines, links }: Lines) {
  const items = lines
    .join('\n')
    .split(/^(?:[-*]|\d+\.) +/m)
    .slice(1)
    .map((item) => <li>{inline(item.trim(), links)}</li>);
  return /^\d/.test(lines[0] as string) ? <ol>{items}</ol> : <ul>{items}</ul>;
}

const span = /(<br>)|`([^`]+)`|\*\*([^*]+)\*\*|\b_([^_]+)_\b|!?\[([^\]]+)\]\(([^)\s]+)\)/;

function inline(text: string, links: Links): ComponentChildren[] {
  const found = span.exec(text);
  if (!found) return [text];
  const [whole, lineBreak, code, strong, emphasis, label = '', target] = found;
  const node = lineBreak ? (
    <br />
  ) : target ? (
    <Link target={whole.startsWith('!') ? undefined : links(target)}>{inline(label, links)}</Link>
  ) : code !== undefined ? (
    <code>{code}</code>
  ) : strong !== undefined ? (
    <strong>{inline(strong, links)}</strong>
  ) : (
    <em>{emphasis}</em>
  );
  return [text.slice(0, found.index), node, ...inline(text.slice(found.index + whole.length), links)];
}

const Link = ({ target, children }: { target: string | undefined; children: ComponentChildren }) =>
  target === undefined ? <>{children}</> : <a href={target}>{children}</a>;

/** As GitHub names headings, so that a link to a heading leads to it on both. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
