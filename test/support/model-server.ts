import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A server with OpenAI's chat completions whose responses a script defines. It imports nothing of the project, so that
 * `npm run model-stub` can start it on its own.
 */

type Json = Record<string, unknown>;

/** What a request contained. */
export interface Asked {
  authorization?: string;
  body: Json & { messages: { role: string; content: string }[] };
  /** Whether it contains what was wrong with the previous response. */
  isCorrection: boolean;
}

export type Reply = (asked: Asked, response: ServerResponse) => void;

const completion = (content: string, reason: string): Json => ({
  id: 'chatcmpl-stub',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'stub',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: reason }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

/** Plain text. */
export const respondsWith =
  (text: string): Reply =>
  (_, response) =>
    send(response, 200, completion(text, 'stop'));

/** A draft. */
export const drafts = (draft: unknown): Reply => respondsWith(JSON.stringify(draft));

/** Half a draft, truncated by the token limit. */
export const cutOff = (draft: unknown): Reply => {
  const text = JSON.stringify(draft);
  return (_, response) => send(response, 200, completion(text.slice(0, text.length / 2), 'length'));
};

/** An HTTP error. */
export const fails =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    send(response, status, { error: { message: `The stub answers ${status}`, type: 'stub' } }, headers);

/** A connection that ends in the middle of the response. */
export const breaksOff = (): Reply => (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"id":"chatcmpl-stub",');
  setImmediate(() => response.destroy());
};

/** A response after `when` has resolved, or never. */
export const late =
  (when: Promise<unknown> = new Promise(() => undefined), then: Reply = respondsWith('')): Reply =>
  (asked, response) =>
    void when.then(() => then(asked, response));

/** A response that waits for `release`; `asked` resolves when the model has the request. */
export function held(then: Reply): { reply: Reply; asked: Promise<void>; release: () => void } {
  const [request, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reply: Reply = (asked, response) => {
    request.resolve();
    late(end.promise, then)(asked, response);
  };
  return { reply, asked: request.promise, release: end.resolve };
}

/** A server without schemas or temperatures rejects them. */
export const unlessPlain =
  (then: Reply): Reply =>
  (asked, response) =>
    ('response_format' in asked.body ? fails(400) : then)(asked, response);

/** A value that matches the schema of the request. */
export const sample: Reply = (asked, response) => {
  const format = asked.body.response_format as { json_schema?: { schema?: Json } } | undefined;
  drafts(sampleOf(format?.json_schema?.schema ?? {}))(asked, response);
};

function sampleOf(schema: Json): unknown {
  const [first] = ((schema.anyOf ?? schema.oneOf) as Json[] | undefined) ?? [];
  if (first) return sampleOf(first);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (schema.type === 'array') {
    return Array.from({ length: Number(schema.minItems ?? 0) }, () => sampleOf(schema.items as Json));
  }
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
  if (schema.type === 'string') return 'Example'.padEnd(Number(schema.minLength ?? 0), '.');
  if (schema.type === 'null') return null;
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = (schema.required as string[] | undefined) ?? Object.keys(properties);
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
}

/** What a person who tries the flows can request in an instruction: `… stub: slow`. */
const wishes: Record<string, Reply> = {
  repaired: (asked, response) => (asked.isCorrection ? sample : respondsWith('No JSON this time'))(asked, response),
  invalid: respondsWith('Never JSON'),
  slow: (asked, response) => void setTimeout(() => sample(asked, response), 10_000),
  'cut off': cutOff({ text: 'This is longer than it may be' }),
  '429': fails(429, { 'retry-after': '5' }),
  '500': fails(500),
  '401': fails(401),
};

/** Follows the instruction, and otherwise returns a sample of the schema. */
const asWished: Reply = (asked, response) => {
  const words = asked.body.messages.map(({ content }) => content).join('\n');
  const [, wish = ''] = /stub: (repaired|invalid|slow|cut off|429|500|401)/.exec(words) ?? [];
  (wishes[wish] ?? sample)(asked, response);
};

export interface ModelServer {
  /** For MODEL_BASE_URL. */
  url: string;
  asked: Asked[];
  /** These answer the next requests in turn, and the last one those after them. */
  script(...replies: Reply[]): void;
  close(): Promise<void>;
}

export async function startModelServer(port = 0): Promise<ModelServer> {
  const asked: Asked[] = [];
  let replies: Reply[] = [asWished];
  const server = createServer((request, response) => {
    void read(request).then((one) => {
      asked.push(one);
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      if (request.url?.endsWith('/chat/completions')) reply?.(one, response);
      else fails(404)(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    script: (...next) => {
      replies = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const body = JSON.parse(text || '{"messages":[]}') as Asked['body'];
  const isCorrection = body.messages.some(({ role }) => role === 'assistant');
  return { authorization: request.headers.authorization, body, isCorrection };
}

if (import.meta.main) {
  const { url } = await startModelServer(Number(process.env.PORT ?? 4010));
  process.stdout.write(`MODEL_BASE_URL=${url} MODEL_NAME=stub npm start\n`);
}
