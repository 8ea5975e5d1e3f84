import type { RequestListener } from 'node:http';
import { newApiKey, type Region } from '#regions';
import { type Entry, startEntry } from '../../support/regions.js';
import { type SampleCell, startSampleCell } from '../../support/sample-cell.js';

export const keys = { us: newApiKey('live', 'us'), eu: newApiKey('live', 'eu'), apac: newApiKey('live', 'apac') };

/** Answers with the name of the region. */
export const nameOf =
  (region: Region): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify({ region }));

/** The global entry before two sample cells, and a region that is down. */
export class EntryWorld {
  private constructor(
    /** What each cell does with a request; tests replace it. */
    readonly answers: Record<'us' | 'eu', RequestListener>,
    readonly cells: Record<'us' | 'eu', SampleCell>,
    readonly entry: Entry,
  ) {}

  static async start(): Promise<EntryWorld> {
    const answers = { us: nameOf('us'), eu: nameOf('eu') };
    const cells = {
      us: await startSampleCell((request, response) => answers.us(request, response)),
      eu: await startSampleCell((request, response) => answers.eu(request, response)),
    };
    // Nothing listens at apac's address.
    const entry = await startEntry({ REGION_URLS: `us=${cells.us.url},eu=${cells.eu.url},apac=http://localhost:1` });
    return new EntryWorld(answers, cells, entry);
  }

  reset(): void {
    Object.assign(this.answers, { us: nameOf('us'), eu: nameOf('eu') });
    for (const { received } of Object.values(this.cells)) received.length = 0;
  }

  async close(): Promise<void> {
    await this.entry.close();
    await this.cells.us.close();
    await this.cells.eu.close();
  }
}
