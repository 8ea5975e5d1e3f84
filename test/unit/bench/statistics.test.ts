import { median, quantile, shuffled } from '../../../bench/statistics.js';

describe('quantile', () => {
  it('is an existing value, or lies between its neighbors', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile([10, 20, 30, 40, 50], 0.25)).toBe(20);
    expect(quantile([1, 2], 0.99)).toBeCloseTo(1.99);
    expect(quantile([7], 0.5)).toBe(7);
  });

  it('leaves the values in their order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('rejects an empty list', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('shuffled', () => {
  it('keeps every item and orders them by the given random numbers', () => {
    expect(shuffled(['a', 'b', 'c'], () => 0)).toEqual(['b', 'c', 'a']);
    expect(shuffled([5, 3, 4, 1, 2]).toSorted()).toEqual([1, 2, 3, 4, 5]);
  });
});
