export const readinesses = ['ready', 'not_ready'] as const;
export type Readiness = (typeof readinesses)[number];

/** What prevents guests from being let in, in the order in which it is shown. */
export const blockers = [
  'not_clean',
  'blocked',
  'open_urgent_task',
  'unlocked',
  'temperature',
  'device_offline',
  'code_missing',
] as const;
export type Blocker = (typeof blockers)[number];

/** Why a place is not ready, with its own status as it is now. */
export const reasonsOf = (place: { cleaningStatus: string; blockers: readonly Blocker[] }): Blocker[] => {
  const isClean = ['clean', 'inspected'].includes(place.cleaningStatus);
  return blockers.filter((one) => place.blockers.includes(one) || (one === 'not_clean' && !isClean));
};
