import fc from 'fast-check';
import { Catalogue, type Operation } from '#operations';
import type { Api, Reply } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames, requestFor } from '../../support/doors.js';
import { type MapServer, startMapServer } from '../../support/map-server.js';
import { type Mcp, mcpOf } from '../../support/mcp.js';
import { isLong, sampled } from '../../support/sampled.js';
import { faultsOf } from '../authorization/asking.js';
import { openOrganizations, type Organizations } from '../authorization/credentials.js';
import { absent } from '../authorization/fixtures.js';
import { isReference, kindOf, restOnly } from '../authorization/oracle.js';
import { openTargets, type Targets } from '../authorization/targets.js';
import { Promised } from './answers.js';
import { beginningOf, notDoneHere } from './beginnings.js';
import { inputsOf, type Known } from './inputs.js';

/** CONTRIBUTING.md describes both. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_728);
const runs = Number(process.env.FUZZ_RUNS ?? (isLong ? 6 : 2));
/** Both doors run the same code. */
const runsOver = { rest: runs, mcp: Math.ceil(runs / 2) };
const oneOf = { rest: 1, mcp: 4 };

let map: MapServer;
let organizations: Organizations;
let targets: Targets;
let places: Awaited<ReturnType<typeof openTargets>>['places'];
let operations: Operation[];
let promised: Promised;
let known: Known;
let mcp: Mcp;

beforeAll(async () => {
  map = await startMapServer();
  const model = { MODEL_BASE_URL: 'http://127.0.0.1:9/v1', MODEL_NAME: 'none' };
  organizations = await openOrganizations({ ...map.env, ...model, WORKER: 'off' });
  const { world, own, foreign } = organizations;
  await world.ops(`org update --org ${world.lakeside} --model-calls-per-minute 10000`);
  ({ targets, places } = await openTargets(organizations));
  operations = world.service.app
    .get(Catalogue)
    .all()
    .map(({ operation }) => operation);
  mcp = mcpOf(world.service.url, own.key);
  const tools = (await mcp.tools('?outputs=true')).map((tool): [string, object] => [tool.name, tool]);
  promised = new Promised((await own.get('/openapi.json')).body, new Map(tools));
  known = { idsFor, cursors: [...(await cursorsOf(own)), ...(await cursorsOf(foreign)), 'no cursor', 'e30.e30'] };
}, 60_000);
afterAll(async () => {
  clock.restore();
  await organizations.world.close();
  await map.close();
});

function idsFor(field: string): { ours: string[]; others: string[] } | undefined {
  if (!isReference(field)) return undefined;
  const kind = kindOf(field);
  const idAt = (place: keyof typeof targets) => targets[place][kind]?.[kind] as string;
  return {
    ours: [idAt('own'), idAt('other property')],
    others: [idAt('other organization'), absent(kind), `${kind}_x`],
  };
}

/** Of lists that a cursor belongs to, and of others. */
async function cursorsOf(reader: Api): Promise<string[]> {
  const pages = ['/tasks?limit=1', '/tasks?limit=1&sort=dueAt', '/reservations?limit=1', '/events?limit=1'];
  const answers = await Promise.all(pages.map((page) => reader.get(page)));
  return answers.flatMap(({ body }) => body.meta?.pagination.nextCursor ?? []);
}

/** A response that may have no end, up to its first bytes. */
async function begun({ key }: Api, path: string): Promise<Reply> {
  const leaving = new AbortController();
  const address = `${organizations.world.service.url}/api/v1${path}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${key}` }, signal: leaving.signal });
  const { status, headers } = response;
  const text = response.ok ? '' : await response.text();
  leaving.abort();
  return { status, headers, text, body: text && JSON.parse(text) };
}

/**
 * Operations that change the settings of an organization run in the other one, where nothing is created at the time.
 */
const askerOf = ({ name }: Operation): Api => organizations[name === 'updateOrganization' ? 'foreign' : 'own'];

const ways: Record<(typeof doorNames)[number], (operation: Operation, input: object) => Promise<[number, string?]>> = {
  rest: async (operation, input) => {
    const { method, path, body } = requestFor(operation, input);
    const asker = askerOf(operation);
    const reply = restOnly.includes(operation.name) ? await begun(asker, path) : await asker.send(method, path, body);
    return [reply.status, promised.faultOfReply(operation, reply)];
  },
  mcp: async (operation, input) => {
    const result = await mcp.as(askerOf(operation).key).call(operation.name, input);
    // Invalid texts, and names such as __proto__, are rejected as invalid JSON.
    if (result.body.error?.code === -32_700) return [result.status];
    return [result.isError ? 400 : result.status, promised.faultOfResult(operation, result)];
  },
};

describe.each(doorNames)('any input over %s', (name) => {
  it('gets a response as documented, and never a server error', async () => {
    const done = new Set<string>();
    const offered = operations.filter((operation) => name === 'rest' || !restOnly.includes(operation.name));
    const asked = sampled(offered, oneOf[name]);
    const faultOf = async (operation: Operation): Promise<string | undefined> => {
      const { address, least } = await beginningOf(operation, places.own, targets);
      const isPromised = fc.asyncProperty(inputsOf(operation, known, least, address), async (input) => {
        const [status, fault] = await ways[name](operation, input);
        if (status < 300) done.add(operation.name);
        if (fault) throw new Error(fault);
      });
      // Records change between requests, so a smaller input would be a different case.
      const limits: fc.Parameters<[object]> = {
        seed: seed + operations.indexOf(operation),
        numRuns: runsOver[name],
        endOnFailure: true,
        examples: [[{ ...least, ...address }]],
      };
      const found = await fc.check(isPromised, limits);
      if (!found.failed) return undefined;
      const [input, fault] = [JSON.stringify(found.counterexample?.[0]), (found.errorInstance as Error).message];
      return `${operation.name} ${input} (FUZZ_SEED=${seed}): ${fault}`;
    };
    const described = (operation: Operation) =>
      faultOf(operation).catch(({ message }: Error) => `${operation.name}: ${message}`);
    expect(await faultsOf(asked, described, runsOver[name])).toEqual([]);
    const names = asked.map((operation) => operation.name);
    expect(names.filter((one) => !done.has(one))).toEqual(notDoneHere.filter((one) => names.includes(one)));
  }, 120_000);
});

describe('a call by name', () => {
  const callers = { read: 'readByName', write: 'changeByName', destructive: 'destroyByName' };

  /** Without the position in the feed, which moves with every event. */
  /** Of what these requests add to themselves, only what was there before. */
  const settled: Record<string, object> = { listRequests: { to: '2026-01-01T00:00:00Z' } };
  const written = (body: object): string => JSON.stringify(body).replace(/"feedCursor":"[^"]+"/, '');

  it('returns the same bytes as its own tool and REST', async () => {
    // Others than those that are called by their own names above.
    const asked = sampled(
      operations.filter(({ name }) => !restOnly.includes(name)),
      4,
      2,
    );
    const inputs = new Map<Operation, object>();
    await faultsOf(asked, async (operation) => {
      const { address, least } = await beginningOf(operation, places.own, targets);
      inputs.set(operation, { ...address, ...least, ...settled[operation.name] });
      return undefined;
    });
    const faultOf = async (operation: Operation): Promise<string | undefined> => {
      const { name, effect, output } = operation;
      const [given, { key }] = [inputs.get(operation) as object, askerOf(operation)];
      // The same request three times; only the first performs a write.
      const headers = { 'x-request-id': `named-${name}`, 'idempotency-key': `named-${name}` };
      const named = { operation: name, arguments: given };
      const byName = await mcp.as(key).at('?toolsets=core').call(callers[effect], named, { headers });
      const fault = promised.faultOfResult(operation, byName);
      if (fault) return `${name}: ${fault}`;
      const own = await mcp.as(key).call(name, given, { headers });
      const { method, path, body } = requestFor(operation, given);
      const { text } = await askerOf(operation).send(method, path, body, headers);
      const answers = [own.body, ...(output.kind === 'lines' ? [] : [JSON.parse(text)])].map(written);
      const expected = written(byName.body);
      return answers.every((answer) => answer === expected)
        ? undefined
        : `${name}: ${[expected, ...answers].join('\n')}`;
    };
    const reads = asked.filter(({ effect }) => effect === 'read');
    const faults = [];
    // One after the other, because showing a secret adds to the trail that others read.
    for (const operation of reads) faults.push(...(await faultsOf([operation], faultOf, 3)));
    faults.push(
      ...(await faultsOf(
        asked.filter((operation) => !reads.includes(operation)),
        faultOf,
        3,
      )),
    );
    expect(faults).toEqual([]);
  }, 120_000);
});
