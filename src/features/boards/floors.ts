interface OnFloor {
  floor: string | null;
  sort_order: number;
  name: string | null;
}

const { compare } = new Intl.Collator('en', { numeric: true });
/** Floors with a number come first, from below; then the others, and last what is on none. */
const levelOf = (floor: string | null): number => {
  if (floor === null) return Number.MAX_SAFE_INTEGER;
  return /^-?\d+$/.test(floor) ? Number(floor) : Number.MAX_SAFE_INTEGER - 1;
};

/** The order in which people walk through a house. */
export const byFloor = (one: OnFloor, other: OnFloor): number =>
  levelOf(one.floor) - levelOf(other.floor) ||
  compare(one.floor ?? '', other.floor ?? '') ||
  one.sort_order - other.sort_order ||
  compare(one.name ?? '', other.name ?? '');
