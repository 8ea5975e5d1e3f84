import { DateTime } from 'luxon';
import type { BoardBlock, ChartSegment, TapeChartView } from '../../features/boards/boards.dto.js';
import { humanized } from '../parts/words.js';
import { Table } from '../parts/list.js';

const [names, day, row, head] = [140, 56, 32, 28];

interface TapeProps {
  chart: TapeChartView;
  /** The address that shows a stay. */
  leadTo(this: void, reservationId: string): string;
}

interface Line {
  name: string;
  segments: readonly ChartSegment[];
  blocks: readonly BoardBlock[];
}

/** Units and days as a picture; the same stays stand in a table below it. */
export const Tape = ({ chart, leadTo }: TapeProps) => {
  const lines = linesOf(chart);
  const [width, height] = [names + chart.days * day, head + lines.length * row];
  return (
    <>
      <div class="scrolled" tabindex={0} role="region" aria-label="Units and days">
        <svg class="tape" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-label="Units and days">
          {Array.from({ length: chart.days }, (_, at) => (
            <Day key={at} at={at} from={chart.from} height={height} />
          ))}
          {lines.map((line, at) => (
            <g key={at} transform={`translate(0 ${head + at * row})`}>
              <line x1="0" x2={width} y1="0" y2="0" />
              <text x="0" y="20">
                {line.name.slice(0, 20)}
              </text>
              {line.blocks.map((block) => (
                <Bar key={block.blockId} chart={chart} {...block} kind="block" label={humanized(block.kind)} />
              ))}
              {line.segments.map((stay) => (
                <a key={stay.reservationId} class={stay.stayStatus} href={leadTo(stay.reservationId)}>
                  <Bar chart={chart} {...stay} label={stay.guestName ?? 'no name'} />
                </a>
              ))}
            </g>
          ))}
        </svg>
      </div>
      <details>
        <summary>The same as a table</summary>
        <Table
          caption="Stays"
          items={lines.flatMap(({ name, segments }) => segments.map((stay) => ({ name, ...stay })))}
          columns={[
            ['Unit', ({ name }) => name],
            ['Guest', ({ reservationId, guestName }) => <a href={leadTo(reservationId)}>{guestName ?? 'no name'}</a>],
            ['From', ({ from }) => from],
            ['Until', ({ until }) => until],
            ['State', ({ stayStatus }) => humanized(stayStatus)],
          ]}
        />
      </details>
    </>
  );
};

/** What has a line: each unit, stays that have none yet, and what takes the whole property. */
function linesOf({ units, unassigned, wholeProperty, blocks }: TapeChartView): Line[] {
  const whole = { name: 'Whole property', segments: wholeProperty, blocks };
  return [
    ...(wholeProperty.length + blocks.length > 0 ? [whole] : []),
    ...units,
    ...unassigned.map((stay) => ({ name: 'No unit yet', segments: [stay], blocks: [] })),
  ];
}

const Day = ({ at, from, height }: { at: number; from: string; height: number }) => {
  const date = DateTime.fromISO(from, { zone: 'utc' }).plus({ days: at });
  return (
    <>
      {date.weekday > 5 && <rect class="weekend" x={names + at * day} y="0" width={day} height={height} />}
      <text class="head" x={names + at * day + 4} y="18">
        {date.toFormat('ccc d', { locale: 'en' })}
      </text>
    </>
  );
};

interface BarProps {
  chart: TapeChartView;
  from: string;
  until: string | null;
  label: string;
  kind?: string;
}

/** From the middle of the first day to the middle of the last: guests come in the afternoon and leave in the morning. */
const Bar = ({ chart, from, until, label, kind }: BarProps) => {
  const [first, last] = [
    Math.max(-0.5, daysTo(chart, from)),
    Math.min(chart.days - 0.5, until ? daysTo(chart, until) : Infinity),
  ];
  const [x, width] = [names + (first + 0.5) * day + 1, Math.max(4, (last - first) * day - 2)];
  return (
    <>
      <rect class={kind} x={x} y="4" width={width} height={row - 8} rx="4" />
      <text class={kind && 'why'} x={x + 6} y="20">
        {label.slice(0, Math.max(1, Math.floor((width - 8) / 7)))}
        <title>{`${label}, ${from} to ${until ?? 'open end'}`}</title>
      </text>
    </>
  );
};

const daysTo = ({ from }: TapeChartView, date: string): number => (Date.parse(date) - Date.parse(from)) / 86_400_000;
