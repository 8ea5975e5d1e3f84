import { DateTime } from 'luxon';
import type { BoardBlock, ChartSegment, TapeChartView } from '../../features/boards/boards.dto.js';
import { Table } from '../parts/list.js';
import { humanized } from '../parts/words.js';

interface TapeProps {
  chart: TapeChartView;
  /** The address that shows a stay. */
  leadTo(this: void, reservationId: string): string;
  /** The address that shows a block. */
  leadToBlock(this: void, blockId: string): string;
}

/** What takes a unit, in half days: guests come in the afternoon and leave in the morning; a day use takes an afternoon. */
interface Bar {
  start: number;
  end: number;
  state: string;
  label: string;
  href: string;
}

interface Line {
  name: string;
  segments: readonly ChartSegment[];
  blocks: readonly BoardBlock[];
}

/** Units and days: each day has two columns, so that a stay ends where the next one begins. A narrow window has a list. */
export const Tape = ({ chart, ...leading }: TapeProps) => {
  const { leadTo, leadToBlock } = leading;
  const lines = linesOf(chart);
  if (lines.length === 0) return <p class="soft">This property has no rooms, and no stays on these days.</p>;
  const taken = lines.flatMap(({ name, segments, blocks }) => [
    ...segments.map(({ guestName, stayStatus, reservationId, from, until }) => {
      return { name, from, until, who: guestName ?? 'no name', state: stayStatus, href: leadTo(reservationId) };
    }),
    ...blocks.map(({ kind, blockId, from, until }) => {
      return { name, from, until, who: 'Blocked', state: kind, href: leadToBlock(blockId) };
    }),
  ]);
  return (
    <>
      <table class={chart.days > 21 ? 'tape long' : 'tape'}>
        <caption class="unseen">Rooms and days</caption>
        <thead>
          <tr>
            <th scope="col" class="unit">
              Room
            </th>
            {daysOf(chart).map((date) => (
              <th key={date.day} scope="col" colSpan={2} class={date.weekday > 5 ? 'weekend' : undefined}>
                {date.toFormat('ccc', { locale: 'en' })} {date.day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) =>
            lanesOf(barsOf(line, chart, leading)).map((bars, lane, { length }) => (
              <tr key={`${at} ${lane}`}>
                {lane === 0 && (
                  <th scope="row" rowSpan={length}>
                    {line.name}
                  </th>
                )}
                {cellsOf(bars, chart.days * 2)}
              </tr>
            )),
          )}
        </tbody>
      </table>
      <div class="stays">
        <Table
          caption="Stays and blocks"
          items={taken}
          empty="No stays."
          columns={[
            ['Room', ({ name }) => name],
            ['Guest', ({ who, href }) => <a href={href}>{who}</a>],
            ['From', ({ from }) => from],
            ['Until', ({ until }) => until ?? 'no end'],
            ['State', ({ state }) => humanized(state)],
          ]}
        />
      </div>
    </>
  );
};

/** What has a line: the whole property, each unit, and stays that have no unit yet. */
function linesOf({ units, unassigned, wholeProperty, blocks }: TapeChartView): Line[] {
  const whole = { name: 'Whole property', segments: wholeProperty, blocks };
  const waiting = { name: 'No room yet', segments: unassigned, blocks: [] };
  return [
    ...(wholeProperty.length + blocks.length > 0 ? [whole] : []),
    ...units,
    ...(unassigned.length > 0 ? [waiting] : []),
  ];
}

const daysOf = ({ from, days }: TapeChartView): DateTime[] =>
  Array.from({ length: days }, (_, at) => DateTime.fromISO(from, { zone: 'utc' }).plus({ days: at }));

type Leading = Pick<TapeProps, 'leadTo' | 'leadToBlock'>;

function barsOf(
  { segments, blocks }: Line,
  { from: first, days }: TapeChartView,
  { leadTo, leadToBlock }: Leading,
): Bar[] {
  const halfOf = (date: string): number => ((Date.parse(date) - Date.parse(first)) / 86_400_000) * 2 + 1;
  const within = (from: string, until: string | null) => ({
    start: Math.max(0, halfOf(from)),
    end: Math.min(days * 2, until === null ? Infinity : halfOf(until)),
  });
  return [
    ...segments.map(({ from, until, guestName, stayStatus, reservationId }) => {
      const { start, end } = within(from, until);
      const isDayUse = from === until;
      const label = guestName ?? 'no name';
      return { start, end: isDayUse ? start + 1 : end, label, state: stayStatus, href: leadTo(reservationId) };
    }),
    ...blocks.map(({ from, until, kind, blockId }) => {
      return { ...within(from, until), label: humanized(kind), state: 'block', href: leadToBlock(blockId) };
    }),
  ]
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
}

/** Rows in which nothing overlaps; a unit has one, and another for each stay that is there at the same time. */
function lanesOf(bars: readonly Bar[]): Bar[][] {
  const lanes: Bar[][] = [[]];
  for (const bar of bars) {
    const free = lanes.find((lane) => (lane.at(-1)?.end ?? 0) <= bar.start);
    if (free) free.push(bar);
    else lanes.push([bar]);
  }
  return lanes;
}

function cellsOf(bars: readonly Bar[], halves: number) {
  let at = 0;
  const cells = bars.map(({ start, end, label, state, href }) => {
    const gap = start - at;
    at = end;
    return (
      <>
        {gap > 0 && <td colSpan={gap} />}
        <td colSpan={end - start} class={`bar ${state}`}>
          <a href={href} title={label}>
            {label}
          </a>
        </td>
      </>
    );
  });
  return (
    <>
      {cells}
      {at < halves && <td colSpan={halves - at} />}
    </>
  );
}
