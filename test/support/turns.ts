import { jest } from '@jest/globals';
import { loopShare } from '#turns';

/**
 * Makes work that grows with its input find its share of the event loop used up before each piece.
 *
 * @returns the result of the work, and how often it yielded the loop.
 */
export async function turnsGivenUp<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  const isUsedUp = jest.spyOn(loopShare, 'isUsedUp', 'get').mockReturnValue(true);
  const next = jest.spyOn(loopShare, 'next');
  try {
    return { result: await work(), turns: next.mock.calls.length };
  } finally {
    isUsedUp.mockRestore();
    next.mockRestore();
  }
}
