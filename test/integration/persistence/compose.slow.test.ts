import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';
import { migrate } from '../../../src/processes/migrate.js';
import { missingRedis } from '../../../faults/redis-server.js';
import { freePort, type Service, startApp } from '../../support/start-app.js';
import { taskOf } from '../../support/factories.js';

/** What the `secrets` container of docker-compose.yml writes, run without containers. */
let folders: string;
const generate = (): void => {
  const { status, stderr } = spawnSync('sh', ['compose/secrets.sh'], {
    env: { PATH: process.env.PATH, FOLDERS: folders, CHOWN: 'true' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
};
const files = ['postgres/superuser-password', 'postgres/owner.sql', 'redis/redis.conf', 'service/environment'];
const contents = (): string[] => files.map((file) => readFileSync(join(folders, file), 'utf8'));
const passwordsIn = (text: string): string[] => text.match(/[0-9a-f]{64}/g) ?? [];

beforeAll(() => {
  folders = mkdtempSync(join(tmpdir(), 'pos-compose-'));
  for (const name of ['postgres', 'redis', 'service']) mkdirSync(join(folders, name));
  generate();
});
afterAll(() => rmSync(folders, { recursive: true, force: true }));

describe('the secrets of docker-compose.yml', () => {
  it('are generated once, each unique, and readable by nobody else', () => {
    const first = contents();
    const [superuser = '', sql = '', redis = '', environment = ''] = first;
    const passwords = [superuser, sql, redis].map((text) => passwordsIn(text));
    expect(passwords.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(new Set(passwords.flat()).size).toBe(3);
    expect(passwordsIn(environment)).toEqual([passwords[1]?.[0], passwords[2]?.[0]]);
    expect(files.map((file) => statSync(join(folders, file)).mode & 0o077)).toEqual([0, 0, 0, 0]);
    generate();
    expect(contents()).toEqual(first);
  });

  it('are the only ones: the file contains none, and no port of PostgreSQL or Redis', () => {
    const compose = readFileSync('docker-compose.yml', 'utf8');
    expect(compose).not.toMatch(/:\/\/[^\s/]*:[^\s/]*@|PASSWORD: |AUTH_METHOD/);
    expect(compose.match(/ports: .*/g)).toEqual(["ports: ['127.0.0.1:3000:3000']"]);
    expect(compose).toContain('data: { internal: true }');
  });
});

describe('the service as docker-compose.yml connects it', () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let redis: { url: string; end(): Promise<void> } | undefined;
  let service: Service;
  let url: string;
  const run = async (database: string, sql: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: postgres.url.replace('/app?', `/${database}?`) });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'pos-compose-data-'));
    postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
    const sql = readFileSync(join(folders, 'postgres/owner.sql'), 'utf8');
    for (const statement of sql.split('\n').filter(Boolean)) await run('postgres', statement);
    url = postgres.url.replace('//owner@', '//property_operations@').replace('/app?', '/property_operations?');
    // Twice, because a second start finds what is its own.
    await migrate(url);
    await migrate(url);
    redis = missingRedis() ? undefined : await startRedis();
    service = await startApp(redis ? { REDIS_URL: redis.url } : {}, {
      database: { url, drop: () => Promise.resolve() },
    });
  });
  afterAll(async () => {
    await service.close();
    await redis?.end();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function startRedis(): Promise<{ url: string; end(): Promise<void> }> {
    const port = await freePort();
    const server = spawn('redis-server', [join(folders, 'redis/redis.conf'), '--port', String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const chunk of server.stdout) if (String(chunk).includes('Ready to accept')) break;
    server.stdout.resume();
    const [, password] = passwordsIn(readFileSync(join(folders, 'service/environment'), 'utf8'));
    return {
      url: `redis://service:${password}@127.0.0.1:${port}`,
      end: async () => {
        const ended = once(server, 'exit');
        server.kill('SIGKILL');
        await ended;
      },
    };
  }

  it('migrates, writes and reads as an owner that is not a superuser', async () => {
    const id = await taskOf(service.api);
    expect((await service.api.get(`/tasks/${id}`)).status).toBe(200);
    const { rows } = await run(
      'postgres',
      `select rolsuper or rolbypassrls or rolcreatedb or rolreplication as strong, rolcreaterole from pg_roles
        where rolname = 'property_operations'`,
    );
    expect(rows).toEqual([{ strong: false, rolcreaterole: true }]);
    const owners = await run(
      'property_operations',
      `select distinct relowner::regrole::text as owner from pg_class where relnamespace = 'public'::regnamespace`,
    );
    expect(owners.rows).toContainEqual({ owner: 'property_operations' });
  });

  it('uses a Redis that requires the password, and that the service cannot administer', async () => {
    if (!redis) return console.warn(`Skipped: ${missingRedis()}`);
    const { port, password } = new URL(redis.url);
    const ask = (...words: string[]): string =>
      spawnSync('redis-cli', ['-p', port, ...words], { encoding: 'utf8', env: { PATH: process.env.PATH } }).stdout;
    expect(ask('ping')).toMatch(/NOAUTH/);
    const asService = ['--user', 'service', '--pass', password, '--no-auth-warning'];
    expect(ask(...asService, 'ping')).toBe('PONG\n');
    await taskOf(service.api);
    expect(ask(...asService, 'dbsize')).not.toBe('0\n');
    for (const order of ['flushall', 'shutdown', 'config get *', 'acl list'])
      expect(ask(...asService, ...order.split(' '))).toMatch(/NOPERM/);
    return undefined;
  });
});
