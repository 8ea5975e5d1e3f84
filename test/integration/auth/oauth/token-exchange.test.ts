import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { codeFor, exchange, newProof, refresh, registerClient } from '../../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../../support/oauth-world.js';
import { type Service, startApp } from '../../../support/start-app.js';

/** Longer than a request waits for a free database connection before it gets a 503. */
const beyondConnectionTimeoutMs = 1_200;

let world: OAuthWorld;
let otherNode: Service;
beforeAll(async () => {
  world = await openWorld();
  const { database, keyring, url } = world.service;
  otherNode = await startApp({ BASE_URL: url }, { database, keyring });
});
afterAll(async () => {
  await otherNode.close();
  await world.close();
});

interface Lock {
  /** Resolves when this many others wait for a lock. */
  waiters(count: number): Promise<void>;
  release(): Promise<void>;
}

/** Locks the rows of the statement, so that others who need them wait. */
async function lock(statement: string): Promise<Lock> {
  const client = new pg.Client({ connectionString: world.service.database.url });
  await client.connect();
  await client.query('begin');
  const { rowCount } = await client.query(statement);
  expect(rowCount).toBe(1);
  const waiting = async (): Promise<number> => {
    const { rows } = await client.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return (rows as [{ n: number }])[0].n;
  };
  return {
    waiters: async (count) => {
      while ((await waiting()) < count) await wait(10);
    },
    release: async () => {
      await client.query('rollback');
      await client.end();
    },
  };
}

describe('a token request', () => {
  it('ends what a code issued when two nodes use it at the same time', async () => {
    const person = await world.person();
    const client = await registerClient(world.service);
    const proof = newProof();
    const nodes = [world.service, otherNode];
    // By then each has loaded what it needs, and waits no longer than the other.
    for (const node of nodes) expect((await exchange(node, client, 'ac_us_none', proof)).status).toBe(400);
    const code = await codeFor(world.service, client, proof, { ...person, orgId: world.lakeside });
    const locked = await lock(`select 1 from oauth_tokens where kind = 'ac' and consumed_at is null for update`);
    const answers = nodes.map((node) => exchange(node, client, code, proof));
    await locked.waiters(2);
    await locked.release();
    const [given, ...refused] = (await Promise.all(answers)).sort((a, b) => a.status - b.status);
    expect(given?.status).toBe(200);
    expect(refused).toMatchObject([{ status: 400, body: { error: 'invalid_grant' } }]);
    expect((await world.rest(given?.body.access_token as string).get('/me')).status).toBe(401);
  });

  it('waits for a concurrent one without a database connection of its own', async () => {
    const { client, refresh_token: token = '' } = await world.tokensOf(await world.person());
    const locked = await lock('select 1 from oauth_grants where revoked_at is null for update');
    const answers = Array.from({ length: 10 }, () => refresh(world.service, client, token));
    await locked.waiters(1);
    await wait(beyondConnectionTimeoutMs);
    expect((await world.service.api.get('/me')).status).toBe(200);
    await locked.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  });
});
