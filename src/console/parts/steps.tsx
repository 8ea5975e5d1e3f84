import { DateTime } from 'luxon';
import { pathWith } from '../../platform/pages/see-other.js';
import { useVisit } from '../frame/visit.js';

interface StepsProps {
  /** The field of the address that names the day. */
  name: string;
  /** The day that is shown. */
  day: string;
  /** How many days a step takes. */
  by: number;
}

/** Leads to the days before and after those that are shown. */
export const Steps = ({ name, day, by }: StepsProps) => {
  const { path, query } = useVisit();
  // The rest of a long day is of the day that is shown.
  const { after: _, ...kept } = query;
  const at = (days: number): string =>
    pathWith(path, { ...kept, [name]: DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd') });
  return (
    <p class="steps">
      <a href={at(-by)}>← Earlier</a> <a href={at(by)}>Later →</a>
    </p>
  );
};
