import type { LanguageModel, ModelRequest } from '../../src/outside/models/language-model.js';
import { OpenAiCompatibleModel } from '../../src/outside/models/openai-compatible/openai-compatible.model.js';
import {
  breaksOff,
  cutOff,
  drafts,
  fails,
  late,
  type ModelServer,
  respondsWith,
  startModelServer,
  unlessPlain,
} from '../support/model-server.js';

/** The suite that every adapter of a language model passes, here against a server of OpenAI's protocol. */
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => void server.asked.splice(0));

const modelWith = (wishes: object = {}): LanguageModel =>
  new OpenAiCompatibleModel({
    model: { baseUrl: server.url, name: 'stub', apiKey: 'secret', timeoutSeconds: 20, ...wishes },
  });
const schema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
const request = (wishes: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'You choose words.',
  instruction: 'A word, please.',
  schema,
  signal: new AbortController().signal,
  ...wishes,
});

it('sends key, schema and temperature, and returns the text and its cost', async () => {
  server.script(drafts({ word: 'lake' }));
  expect(await modelWith().answer(request())).toEqual({
    outcome: 'answered',
    text: '{"word":"lake"}',
    cutOff: false,
    usage: { model: 'stub', temperature: 0.2, calls: 1, inputTokens: 100, outputTokens: 20 },
  });
  const [{ authorization, body }] = server.asked as [(typeof server.asked)[0]];
  expect(authorization).toBe('Bearer secret');
  expect(body).toMatchObject({
    model: 'stub',
    temperature: 0.2,
    max_tokens: expect.any(Number),
    response_format: { type: 'json_schema', json_schema: { schema, strict: false } },
  });
  expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
});

it('reports that a response was truncated', async () => {
  server.script(cutOff({ word: 'lakeside' }));
  expect(await modelWith().answer(request())).toMatchObject({ outcome: 'answered', cutOff: true });
});

it('shows the model its response and what was wrong with it', async () => {
  server.script(drafts({ word: 'lake' }));
  const issues = [{ path: ['word'], message: 'Choose another.' }];
  await modelWith().answer(request({ correction: { answer: '{"word":"pond"}', issues } }));
  const messages = server.asked[0]?.body.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(messages[2]?.content).toBe('{"word":"pond"}');
  expect(messages[3]?.content).toContain('- word: Choose another.');
});

it.each([
  ['429', fails(429, { 'retry-after': '7' }), { retryAfterSeconds: 7 }],
  ['500', fails(500), {}],
  ['503', fails(503), {}],
  ['a connection that is cut off', breaksOff(), {}],
])('is unavailable at %s', async (_, reply, more) => {
  server.script(reply);
  expect(await modelWith().answer(request())).toEqual({ outcome: 'unavailable', reason: expect.any(String), ...more });
  expect(server.asked).toHaveLength(1);
});

it('is unavailable if nobody listens, and if there is no response in time', async () => {
  const nowhere = await modelWith({ baseUrl: 'http://127.0.0.1:9/v1' }).answer(request());
  expect(nowhere.outcome).toBe('unavailable');
  server.script(late());
  const slow = await modelWith({ timeoutSeconds: 0.1 }).answer(request());
  expect(slow).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('0.1 s') });
});

it.each([401, 403, 404])('fails permanently at %d, and never retries', async (status) => {
  server.script(fails(status));
  expect((await modelWith().answer(request())).outcome).toBe('refused');
  expect(server.asked).toHaveLength(1);
});

it('sends plain prompts to servers without schemas or temperatures, from then on', async () => {
  server.script(unlessPlain(drafts({ word: 'lake' })));
  const model = modelWith();
  expect(await model.answer(request())).toMatchObject({ outcome: 'answered', usage: { temperature: null } });
  await model.answer(request());
  expect(server.asked.map(({ body }) => 'response_format' in body)).toEqual([true, false, false]);
  expect(server.asked.map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
  expect(server.asked[2]?.body.max_completion_tokens).toBe(server.asked[0]?.body.max_tokens);
  expect(server.asked[2]?.body.messages[0]?.content).toContain(JSON.stringify(schema));
});

it('rejects what is also rejected as a plain prompt, and remembers nothing', async () => {
  server.script(fails(400), fails(400), drafts({ word: 'lake' }));
  const model = modelWith();
  expect((await model.answer(request())).outcome).toBe('refused');
  await model.answer(request());
  expect('response_format' in (server.asked[2]?.body ?? {})).toBe(true);
});

it('ends with the signal', async () => {
  const stop = new AbortController();
  server.script((asked, response) => {
    stop.abort(new Error('cancelled'));
    respondsWith('too late')(asked, response);
  });
  await expect(modelWith().answer(request({ signal: stop.signal }))).rejects.toThrow('cancelled');
});

it('reports whether it is configured', () => {
  expect([modelWith().isConfigured, new OpenAiCompatibleModel({}).isConfigured]).toEqual([true, false]);
});
