import type { Nights } from '../../../tenancy/stays/nights.repository.js';
import type { UnitBlock } from './unit-block.entity.js';

const taken = ({ kind, from, until }: UnitBlock): Nights[] => (kind === 'out_of_service' ? [] : [{ from, until }]);

/** The nights between the first and the last that a block takes or gives back; undefined if these stay the same. */
export function changedNights(block: UnitBlock, before?: UnitBlock): Nights | undefined {
  const [now, earlier] = [taken(block), before ? taken(before) : []];
  const both = [...now, ...earlier];
  if (both.length === 0 || JSON.stringify(now) === JSON.stringify(earlier)) return undefined;
  const ends = both.flatMap(({ until }) => until ?? []).sort();
  return {
    from: both.map(({ from }) => from).sort()[0] as string,
    until: ends.length < both.length ? null : (ends.at(-1) as string),
  };
}

/** The nights that a block takes and had not taken before: all, or those before and after the ones that it had. */
export function newNights(block: UnitBlock, held?: UnitBlock): Nights[] {
  const [wanted] = isOpen(block) ? taken(block) : [];
  const [had] = held && isOpen(held) ? taken(held) : [];
  if (!wanted || !had) return wanted ? [wanted] : [];
  const before = { from: wanted.from, until: earlier(wanted.until, had.from) };
  const after = had.until && { from: had.until > wanted.from ? had.until : wanted.from, until: wanted.until };
  return [before, ...(after ? [after] : [])].filter(({ from, until }) => until === null || from < until);
}

const isOpen = ({ endedAt }: UnitBlock): boolean => endedAt === null;
const earlier = (until: string | null, day: string): string => (until !== null && until < day ? until : day);
