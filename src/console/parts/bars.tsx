import type { ComponentChildren } from 'preact';

/** One bar, divided into successes and failures. */
export interface Bar {
  label: string;
  good: number;
  bad?: number;
}

const [width, height, gap, widest] = [600, 120, 2, 40];

/** A picture of counts over time, drawn on the server; the same numbers stand in a table below it. */
export const Bars = ({
  bars,
  title,
  good,
  bad,
  isPartial,
}: {
  bars: readonly Bar[];
  title: string;
  good: string;
  bad?: string;
  /** There were more than were counted. */
  isPartial?: boolean;
}) => {
  const most = Math.max(1, ...bars.map((bar) => bar.good + (bar.bad ?? 0)));
  const each = width / Math.max(1, bars.length);
  const wide = Math.min(each - gap, widest);
  const tall = (count: number): number => Math.round((count / most) * (height - 4) * 10) / 10;
  return (
    <figure class="bars">
      <figcaption>
        {title}{' '}
        <span class="soft">
          (highest: {isPartial && 'at least '}
          {most.toLocaleString('en')})
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title} preserveAspectRatio="none">
        {bars.map(({ label, good: well, bad: badly = 0 }, at) => (
          <g key={label}>
            <rect class="good" x={at * each} width={wide} y={height - tall(well)} height={tall(well)} />
            <rect class="bad" x={at * each} width={wide} y={height - tall(well) - tall(badly)} height={tall(badly)} />
          </g>
        ))}
      </svg>
      <Numbers title={`${title}, as a table`}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">{good}</th>
            {bad && <th scope="col">{bad}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.label}>
              <th scope="row">{bar.label}</th>
              <td>{bar.good}</td>
              {bad && <td>{bar.bad ?? 0}</td>}
            </tr>
          ))}
        </tbody>
      </Numbers>
    </figure>
  );
};

const Numbers = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <details>
    <summary>{title}</summary>
    <div class="scrolled" tabindex={0} role="region" aria-label={title}>
      <table class="numbers">{children}</table>
    </div>
  </details>
);
