import { chartOf } from '../../../faults/soak/chart.js';
import { risingIn } from '../../../faults/soak/line.js';

/** What `npm run faults -- soak` considers a rising line. */
const lineOf = (values: number[]) => ({ name: 'node: memory, MB', values });
const minutes = Array.from({ length: 60 }, (_, minute) => minute);

describe('a line of the soak', () => {
  it('rises if it still grows in the last third', () => {
    expect(risingIn(lineOf(minutes.map((minute) => 200 + 5 * minute)))).toBe(true);
    expect(risingIn(lineOf(minutes.map((minute) => minute * minute)))).toBe(true);
  });

  it('does not rise if it fills up first, varies or falls', () => {
    expect(risingIn(lineOf(minutes.map((minute) => Math.min(300, 100 + 20 * minute))))).toBe(false);
    expect(risingIn(lineOf(minutes.map((minute) => 300 + (minute % 7) * 10)))).toBe(false);
    expect(risingIn(lineOf(minutes.map((minute) => 300 - minute)))).toBe(false);
  });

  it('is drawn with its maximum', () => {
    expect(chartOf([lineOf([10, 40, 20])])).toContain('0 … 40');
  });
});
