import type { IncomingMessage } from 'node:http';
import { answerHeaders } from '../../../src/processes/global-entry/headers.js';
import { cpuMs } from '../../support/cpu.js';

const kept = (connection: string): string[] => {
  const rawHeaders = ['Connection', connection, 'X-One', '1', 'X-Two', '2'];
  return answerHeaders({ rawHeaders, headers: { connection } } as IncomingMessage);
};

describe('the headers that are forwarded', () => {
  it('exclude the headers of the connection', () => {
    expect(kept('close ,  X-One')).toEqual(['X-Two', '2']);
  });

  it('are found quickly, however many blanks the connection has', async () => {
    const connection = `x${' '.repeat(100_000)}x`;
    expect(await cpuMs(() => expect(kept(connection)).toHaveLength(4))).toBeLessThan(500);
  });
});
