/** How many single characters of a name may be missing, added, changed or swapped. */
const farthest = 2;

/** The existing name that was probably meant: it differs in case, underscores and a typing error or two. */
export function closest(given: string, names: readonly string[]): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
  const meant = names
    .filter((name) => Math.abs(name.length - given.length) <= 2 * farthest)
    .map((name) => ({ name, slips: slipsBetween(plain(given), plain(name)) }))
    // Of a short name, one slip leaves too little.
    .filter(({ name, slips }) => slips <= Math.min(farthest, Math.floor(name.length / 3)))
    .sort((a, b) => a.slips - b.slips);
  return meant[0]?.name;
}

/** The optimal string alignment distance of two short texts. */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const [above, row] = [rows[i - 1] as number[], [i]];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j] as number, (rows[i - 2]?.[j - 2] as number) + 1);
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) as number;
}
