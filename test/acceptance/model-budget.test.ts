import { jest } from '@jest/globals';
import { SlidingWindowStore } from '#limits';
import type { Api, Json, Reply } from '../support/api.js';
import { clock } from '../support/clock.js';
import { expectEnvelope, refusals } from '../support/envelope.js';
import { keyWith } from '../support/factories.js';
import type { ToolReply } from '../support/mcp.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { type OAuthWorld, openWorld, run } from '../support/oauth-world.js';
import { serviceClock } from '../support/service-clock.js';
import { onlyHere, TARGET_OPS, TARGET_URL, withOps } from '../support/target.js';

const there = withOps('organizations of its own are needed');
const here = onlyHere('the clock is stopped, or the limiter is taken away');

interface Call {
  name: string;
  path: string;
  body: object;
  /** The same for the tool. */
  given: object;
}

let world: OAuthWorld;
let model: ModelServer | undefined;
let document: Json;
beforeAll(async () => {
  if (TARGET_URL && !TARGET_OPS) return;
  if (!TARGET_URL) model = await startModelServer();
  // A deployment has a model of its own, such as that of `npm run model-stub`.
  world = await openWorld(model && { MODEL_BASE_URL: model.url, MODEL_NAME: 'stub' });
  document = (await world.service.api.get('/openapi.json')).body;
});
afterAll(async () => {
  await world?.close();
  await model?.close();
});
afterEach(() => {
  clock.restore();
  jest.restoreAllMocks();
});

const exampleOf = (entry: Json): object => entry.requestBody.content['application/json'].example as object;
const posts = (): [string, Json][] =>
  Object.entries<Json>(document.paths).flatMap(([path, { post }]) => (post ? [[path, post]] : []));
const modelBacked = (): [string, Json][] => posts().filter(([, post]) => post['x-model-backed']);

/** A record from the document's own example, for a path parameter. */
async function idFor(api: Api, operation: string): Promise<string> {
  const [path, post] = posts().find(([, { operationId }]) => operationId === operation) as [string, Json];
  const { status, text, body } = await api.post(path, exampleOf(post));
  if (status !== 201) throw new Error(text);
  return body.data.id as string;
}

/** Every model-backed operation, called as the document describes. */
async function callsIn(api: Api): Promise<Call[]> {
  const makers = { guideId: 'saveGuide', templateId: 'saveEmailTemplate', workflowId: 'saveWorkflow' };
  const calls: Call[] = [];
  for (const [path, post] of modelBacked()) {
    const [parameter] = (/(?<=\{)\w+(?=\})/.exec(path) ?? []) as (keyof typeof makers)[];
    const ids = parameter ? { [parameter]: await idFor(api, makers[parameter]) } : {};
    const body = exampleOf(post);
    const filled = path.replace(/\{\w+\}/, Object.values(ids)[0] ?? '');
    calls.push({ name: post.operationId, path: filled, body, given: { ...ids, ...body } });
  }
  return calls;
}

async function organization(slug: string): Promise<{ id: string; api: Api }> {
  const { id } = await world.ops(`org create --name Budget --slug ${slug}-${run}`);
  const { key } = await world.ops(`api-key create --org ${id} --name k --scopes * --rate-per-minute 60000`);
  return { id, api: world.rest(key) };
}

const isRefused = (reply: Reply | ToolReply): void => {
  expectEnvelope(reply, refusals.limited);
  expect(reply.body.error.message).toBe('Model-backed action rate limit exceeded');
};

describe('MOD', () => {
  there('shares ten calls in 60 seconds among all operations, keys, tokens and doors of an organization', async () => {
    const { id, api } = await organization('shared');
    const person = await world.person('manager', id);
    const scopes = ['templates:write', 'guides:write', 'workflows:write'].filter(
      (scope) => scope in document.components.securitySchemes.oauth2.flows.authorizationCode.scopes,
    );
    const { access_token: token } = await world.tokensOf(person, { orgId: id, scopes });
    const others = [(await keyWith(api)).api, (await keyWith(api)).api, world.rest(token)];
    const calls = await callsIn(api);
    const startedAt = Date.now();
    const rest = calls.map(({ path, body }, index) => (others[index % others.length] as Api).post(path, body));
    const admitted = (await Promise.all(rest)).map(({ status }) => status);
    for (let index = 0; admitted.length < 10; index += 1) {
      const { name, body } = calls.find(({ path }) => path.endsWith('/generate')) as Call;
      const mcp = world.mcp(index % 2 ? token : (api.key as string));
      admitted.push((await mcp.call(name, body)).status);
    }
    expect(admitted.filter((status) => ![200, 202].includes(status))).toEqual([]);

    for (const { name, path, body, given } of calls) {
      for (const who of [api, ...others]) {
        const reply = await who.post(path, body);
        isRefused(reply);
        const waitMs = Number(reply.headers.get('retry-after')) * 1_000;
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(60_000 - (Date.now() - startedAt) + 2_000);
        expect(Number(reply.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
      }
      const tool = await world.mcp(token).call(name, given);
      isRefused(tool);
      expect(Number(tool.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(tool.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
    }
    expect((await api.get('/tasks')).status).toBe(200);
    const apart = await organization('apart');
    const [{ path, body }] = (await callsIn(apart.api)) as [Call];
    expect((await apart.api.post(path, body)).status).toBe(202);
    const [first] = calls as [Call];
    await serviceClock.advance(TARGET_URL ? 20_000 : 59_000 - (Date.now() - startedAt));
    expect((await api.post(first.path, first.body)).status).toBe(429);
    await serviceClock.advance(61_000);
    expect((await api.post(first.path, first.body)).status).toBe(202);
  });

  here('applies in addition to the credential’s own limit', async () => {
    const { api } = await organization('on-top');
    const { api: other } = await keyWith(api, { ratePerMinute: 1_000 });
    const [{ name, path, body, given }] = (await callsIn(api)) as [Call];
    const mcp = world.mcp(other.key as string);
    // At one moment, however slow the machine.
    clock.set(Date.now());
    const replies = await Promise.all<Reply | ToolReply>(
      Array.from({ length: 60 }, (_, n) => (n % 2 ? mcp.call(name, given) : other.post(path, body))),
    );
    const messages = replies
      .filter(({ status }) => status === 429)
      .map(({ body: { error } }) => error.message as string);
    expect(replies.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(10);
    expect(new Set(messages)).toEqual(new Set(['API rate limit exceeded', 'Model-backed action rate limit exceeded']));
  });

  here.each([
    ['fails', () => Promise.reject(new Error('down'))],
    ['never responds', () => new Promise<never>(() => undefined)],
  ])('rejects with 429 and no Retry-After while its limiter %s', async (how, take) => {
    const { api } = await organization(`limiter-${how.replace(' ', '-')}`);
    const calls = await callsIn(api);
    const store = world.service.app.get(SlidingWindowStore, { strict: false });
    const broken = jest.spyOn(store, 'take').mockImplementation(take);
    const mcp = world.mcp(api.key as string);
    for (const { name, path, body, given } of calls) {
      for (const reply of [await api.post(path, body), await mcp.call(name, given)]) {
        isRefused(reply);
        expect(reply.headers.has('retry-after')).toBe(false);
      }
    }
    broken.mockRestore();
    const [{ path, body }] = calls as [Call];
    expect((await api.post(path, body)).status).toBe(202);
  });
});
