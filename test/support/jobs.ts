import type { Piece, Work } from '#jobs';

/** Performs what is due now, past the queue, which a timer fills. */
export async function performDue<P extends Piece>(work: Work<P>): Promise<void> {
  const { signal } = new AbortController();
  const pieces = await work.due(new Date().toISOString());
  await Promise.all(pieces.map((piece) => work.perform(piece, signal)));
}
