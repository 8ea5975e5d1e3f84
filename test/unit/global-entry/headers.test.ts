import type { IncomingMessage } from 'node:http';
import { answerHeaders } from '../../../src/global-entry/headers.js';

const kept = (connection: string): string[] => {
  const rawHeaders = ['Connection', connection, 'X-One', '1', 'X-Two', '2'];
  return answerHeaders({ rawHeaders, headers: { connection } } as IncomingMessage);
};

describe('the headers that go on', () => {
  it('are those that the connection does not keep for itself', () => {
    expect(kept('close ,  X-One')).toEqual(['X-Two', '2']);
  });

  it('are told soon, however many blanks the connection has', () => {
    const before = performance.now();
    expect(kept(`x${' '.repeat(100_000)}x`)).toHaveLength(4);
    expect(performance.now() - before).toBeLessThan(500);
  });
});
