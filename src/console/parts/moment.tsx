import { DateTime } from 'luxon';
import { useVisit } from '../frame/visit.js';

/** A moment on the organization's clock; the exact instant is in its title. */
export const Moment = ({ at, none = '–' }: { at: string | null | undefined; none?: string }) => {
  const { timezone } = useVisit().membership;
  if (!at) return <>{none}</>;
  const local = DateTime.fromISO(at, { zone: timezone });
  const format = local.year === DateTime.now().setZone(timezone).year ? 'd LLL, HH:mm' : 'd LLL yyyy, HH:mm';
  return (
    <time dateTime={at} title={at}>
      {local.toFormat(format, { locale: 'en' })}
    </time>
  );
};
