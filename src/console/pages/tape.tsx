import { DateTime } from 'luxon';
import type { BoardBlock, ChartSegment, TapeChartView } from '../../features/boards/boards.dto.js';
import { Table } from '../parts/list.js';
import { humanized } from '../parts/words.js';

interface TapeProps {
  chart: TapeChartView;
  /** The address that shows a stay. */
  leadTo(this: void, reservationId: string): string;
}

/** What takes a unit, in half days: guests come in the afternoon and leave in the morning; a day use takes an afternoon. */
interface Bar {
  start: number;
  end: number;
  state: string;
  label: string;
  reservationId?: string;
}

interface Line {
  name: string;
  segments: readonly ChartSegment[];
  blocks: readonly BoardBlock[];
}

/** Units and days: each day has two columns, so that a stay ends where the next one begins. A narrow window has a list. */
export const Tape = ({ chart, leadTo }: TapeProps) => {
  const lines = linesOf(chart);
  if (lines.length === 0) return <p class="soft">This property has no rooms, and no stays on these days.</p>;
  const stays = lines.flatMap(({ name, segments }) => segments.map((stay) => ({ name, ...stay })));
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
            lanesOf(barsOf(line, chart)).map((bars, lane, { length }) => (
              <tr key={`${at} ${lane}`}>
                {lane === 0 && (
                  <th scope="row" rowSpan={length}>
                    {line.name}
                  </th>
                )}
                {cellsOf(bars, chart.days * 2, leadTo)}
              </tr>
            )),
          )}
        </tbody>
      </table>
      <div class="stays">
        <Table
          caption="Stays"
          items={stays}
          empty="No stays."
          columns={[
            ['Room', ({ name }) => name],
            ['Guest', ({ reservationId, guestName }) => <a href={leadTo(reservationId)}>{guestName ?? 'no name'}</a>],
            ['From', ({ from }) => from],
            ['Until', ({ until }) => until],
            ['State', ({ stayStatus }) => humanized(stayStatus)],
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

function barsOf({ segments, blocks }: Line, { from: first, days }: TapeChartView): Bar[] {
  const halfOf = (date: string): number => ((Date.parse(date) - Date.parse(first)) / 86_400_000) * 2 + 1;
  const within = (from: string, until: string | null) => ({
    start: Math.max(0, halfOf(from)),
    end: Math.min(days * 2, until === null ? Infinity : halfOf(until)),
  });
  return [
    ...segments.map(({ from, until, guestName, stayStatus, reservationId }) => {
      const { start, end } = within(from, until);
      return {
        start,
        end: from === until ? start + 1 : end,
        label: guestName ?? 'no name',
        state: stayStatus,
        reservationId,
      };
    }),
    ...blocks.map(({ from, until, kind }) => ({ ...within(from, until), label: humanized(kind), state: 'block' })),
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

function cellsOf(bars: readonly Bar[], halves: number, leadTo: TapeProps['leadTo']) {
  let at = 0;
  const cells = bars.map(({ start, end, label, state, reservationId }) => {
    const gap = start - at;
    at = end;
    return (
      <>
        {gap > 0 && <td colSpan={gap} />}
        <td colSpan={end - start} class={`bar ${state}`}>
          {reservationId ? (
            <a href={leadTo(reservationId)} title={label}>
              {label}
            </a>
          ) : (
            label
          )}
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
