import { sourceOf } from '#limits';
import type { SlidingWindowsRepository, Window } from '../../platform/limits/sliding-windows.repository.js';

/** How often one address may make us fetch documents, and how often one URL's document may be fetched. */
const fetched: Window = { limit: 20, windowMs: 60_000 };

/** Client metadata documents are fetched for anyone who names their URL, so fetches are limited. */
export class DocumentLimit {
  constructor(private readonly windows: SlidingWindowsRepository) {}

  async mayFetch(ip: string, url: string): Promise<boolean> {
    const waitMs =
      (await this.windows.take(`documents from ${sourceOf(ip)}`, fetched)) ||
      (await this.windows.take(`documents of ${url}`, fetched));
    return waitMs === 0;
  }
}
