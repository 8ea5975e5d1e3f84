import { momentOn } from '../frame/moments.js';
import { useVisit } from '../frame/visit.js';

/** A moment on the organization's clock; the exact instant is in its title. */
export const Moment = ({ at, none = '–' }: { at: string | null | undefined; none?: string }) => {
  const { timezone } = useVisit().membership;
  if (!at) return <>{none}</>;
  return (
    <time dateTime={at} title={at}>
      {momentOn(timezone, at)}
    </time>
  );
};
