import { describe, expect, it } from '@jest/globals';
import { FairQueue } from '#fair-queue';

const takeAll = (queue: FairQueue<string>): string[] => {
  const taken: string[] = [];
  for (let turn = queue.take(); turn; turn = queue.take()) taken.push(turn.item);
  return taken;
};

const queueOf = (items: readonly string[], mostInProgress = 100): FairQueue<string> => {
  const queue = new FairQueue<string>(mostInProgress);
  for (const item of items) queue.add(item.charAt(0), item);
  return queue;
};

describe('a fair queue', () => {
  it('serves owners in turn, and the items of one in order', () => {
    const taken = takeAll(queueOf(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']));
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('gives an owner who keeps adding items no turn before those who wait', () => {
    const queue = queueOf(['a1', 'b1', 'c1']);
    const taken: string[] = [];
    for (let round = 2; round <= 4; round += 1) {
      taken.push(queue.take()?.item as string);
      queue.add('a', `a${round}`);
    }
    expect(taken).toEqual(['a1', 'b1', 'c1']);
  });

  it('has no more than the limit of one owner in progress, and continues with others', () => {
    const queue = queueOf(['a1', 'a2', 'a3', 'b1'], 2);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2']);
    expect([queue.waiting, queue.waitingOf('a'), queue.inProgressOf('a')]).toEqual([1, 1, 2]);
    queue.done('b');
    expect(queue.take()).toBeUndefined();
    queue.done('a');
    expect(queue.take()).toEqual({ owner: 'a', item: 'a3' });
  });

  it('removes a waiting item, and no other', () => {
    const queue = queueOf(['a1', 'a2', 'b1']);
    expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('c', 'c1')]).toEqual([true, false, false]);
    expect(queue.waiting).toBe(2);
    expect(takeAll(queue)).toEqual(['a2', 'b1']);
  });

  it('finds the last item of the owner with the most waiting items', () => {
    expect(queueOf(['a1', 'b1', 'b2', 'c1']).lastOfMost()).toEqual({ owner: 'b', item: 'b2' });
    expect(queueOf([]).lastOfMost()).toBeUndefined();
  });

  it('remembers nothing of an owner who has neither waiting items nor any in progress', () => {
    const queue = queueOf(['a1', 'b1']);
    takeAll(queue);
    queue.done('a');
    queue.done('b');
    queue.done('b');
    expect([queue.waiting, queue.inProgressOf('a'), queue.inProgressOf('b')]).toEqual([0, 0, 0]);
  });
});
