import type { Json } from './api.js';

export interface EventSource {
  status: number;
  headers: Headers;
  /** The events so far, in order. */
  events: { id: string; data: Json }[];
  comments: string[];
  /** Resolves when this many events have arrived. */
  received(count: number): Promise<void>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  /** Drops the connection. */
  drop(): void;
}

/** A small client of server-sent events, which never reconnects. */
export async function openEventSource(
  url: string,
  key: string,
  { lastEventId, query = '' }: { lastEventId?: string; query?: string } = {},
): Promise<EventSource> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/v1/events/stream${query}`, {
    headers: { authorization: `Bearer ${key}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: abort.signal,
  });
  const [events, comments]: [EventSource['events'], string[]] = [[], []];
  let wake: () => void = () => undefined;
  const take = (frame: string): void => {
    if (frame.startsWith(':')) comments.push(frame);
    const id = /^id: (.*)$/m.exec(frame)?.[1];
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (id && data) events.push({ id, data: JSON.parse(data) as Json });
    wake();
  };
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      const frames = text.split('\n\n');
      text = frames.pop() as string;
      frames.forEach(take);
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    events,
    comments,
    ended: read().catch(() => undefined),
    drop: () => abort.abort(),
    received: async (count) => {
      while (events.length < count) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
