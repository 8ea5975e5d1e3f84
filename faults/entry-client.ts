import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** Longer than any outage of a case. */
const longestMs = 10 * 60_000;
const pauseMs = 100;
const idempotencyKey = 'property-operations/idempotencyKey';

interface Result {
  result?: { isError?: boolean; structuredContent: Record<string, unknown> };
}

/** An assistant at the global entry, which calls a tool until it succeeds; the idempotency key prevents duplicates. */
export class EntryClient {
  constructor(
    private readonly entry: { origin: string },
    private readonly key: string,
  ) {}

  async call(name: string, given: object): Promise<Record<string, unknown>> {
    const params = { name, arguments: given, _meta: { [idempotencyKey]: randomUUID() } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    for (const from = performance.now(); ;) {
      const text = await this.send(body);
      const result = resultIn(text);
      if (result) return result;
      if (performance.now() - from > longestMs) throw new Error(`${name} does not succeed: ${text}`);
      await wait(pauseMs);
    }
  }

  private async send(body: string): Promise<string> {
    const request = fetch(`${this.entry.origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body,
      signal: AbortSignal.timeout(15_000),
    });
    return await request.then((response) => response.text()).catch(() => '');
  }
}

/** @returns undefined for an error, or a response that broke off. */
function resultIn(text: string): Record<string, unknown> | undefined {
  try {
    const { result } = JSON.parse(text) as Result;
    return result?.isError ? undefined : result?.structuredContent;
  } catch {
    return undefined;
  }
}
