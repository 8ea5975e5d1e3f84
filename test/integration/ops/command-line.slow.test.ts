import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '#embedded-postgres';
import type { Json } from '../../support/api.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';

// Every command is a process that loads the service, and some start a database, which is slow on a busy machine.
jest.setTimeout(120_000);

const { PATH = '' } = process.env;
const program = 'dist/src/processes/ops/main.js';

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** The built command line in a process of its own. */
function ops(env: Record<string, string>, ...words: string[]): Promise<Ended> {
  return ended(spawn(process.execPath, [program, ...words], { env: { PATH, ...env } }));
}

/** The same at a terminal, where a person types these lines, each after its prompt. */
function opsAtTerminal(env: Record<string, string>, words: string, typed: readonly string[]): Promise<Ended> {
  const command = `${process.execPath} ${program} ${words}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], { env: { PATH, SHELL: '/bin/sh', ...env } });
  const lines = [...typed];
  child.stdout.on('data', (chunk) => {
    if (/(Password|Once more): $/.test(String(chunk))) child.stdin.write(`${lines.shift()}\n`);
  });
  return ended(child);
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

/** Makes a process print its priority when it ends. */
const priority =
  'import{getPriority}from"node:os";process.once("exit",()=>process.stderr.write(String(getPriority())))';
const tellingPriority = `--import data:text/javascript;base64,${Buffer.from(priority).toString('base64')}`;

const printed = ({ code, out, err }: Ended): Json => {
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Json;
};

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pos-ops-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('with DATABASE_URL', () => {
  const ownDir = mkdtempSync(join(tmpdir(), 'pos-ops-'));
  let database: FreshDatabase;
  let env: Record<string, string>;
  let made: Json;
  beforeAll(async () => {
    database = await freshDatabase();
    env = { DATABASE_URL: database.url, DATA_DIR: ownDir };
    made = printed(await ops(env, 'org', 'create', '--name', 'Lakeside Stays', '--json'));
  });
  afterAll(async () => {
    await database.drop();
    rmSync(ownDir, { recursive: true });
  });

  it('prints a list as a table', async () => {
    const { out } = await ops(env, 'org', 'list');
    const [head, row] = out.split('\n') as [string, string];
    expect(head).toMatch(/^name +slug +id +createdAt$/);
    expect(row).toMatch(/^Lakeside Stays  lakeside-stays  org_\w{32}  \d{4}-/);
  });

  it('reads a password from standard input, or asks for it twice, and never shows it', async () => {
    const piped = spawn(process.execPath, [program, 'user', 'create', '--email', 'a@tests.example'], {
      env: { PATH, ...env },
    });
    piped.stdin.end('a piped pass phrase\n');
    expect(await ended(piped)).toMatchObject({ code: 0, err: '' });
    const words = 'user create --email b@tests.example';
    const differing = await opsAtTerminal(env, words, ['typed pass phrase', 'another one']);
    expect(differing).toMatchObject({ code: 1, out: expect.stringContaining('The two passwords differ.') as string });
    const typed = await opsAtTerminal(env, words, ['typed pass phrase', 'typed pass phrase']);
    expect(typed).toMatchObject({ code: 0, out: expect.stringContaining('b@tests.example') as string });
    expect(typed.out).not.toContain('typed pass');
  });

  it('prints one JSON value with --json, and a readable form without it, and may end with 1 in both cases', async () => {
    expect(made).toMatchObject({ slug: 'lakeside-stays', region: 'us' });
    const { code, out } = await ops(env, 'org', 'update', '--org', 'lakeside-stays', '--require-two-factor', 'true');
    expect(code).toBe(0);
    expect(out).toContain(`id: ${made.id}\nname: Lakeside Stays\n`);
    expect(out).toContain('requireTwoFactor: true\n');
    expect(out).toContain('allowedClientIds: none\n');
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(`update audit_entries set actor_type = 'service' where action = 'ops org update'`);
    await owner.end();
    const telling = { ...env, NODE_OPTIONS: tellingPriority };
    const audit = await ops(telling, 'audit', 'verify', '--org', 'lakeside-stays', '--json');
    // It yields the processor to the service.
    expect([audit.code, audit.err]).toEqual([1, String(constants.priority.PRIORITY_LOW)]);
    expect(JSON.parse(audit.out)).toMatchObject({ valid: false, entries: 7, faults: [{ fault: 'forged' }] });
  });

  it('ends with 1 and the envelope on standard error', async () => {
    const { code, out, err } = await ops(env, 'org', 'create', '--json');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(JSON.parse(err)).toMatchObject({
      error: {
        type: 'validation_error',
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: ['--name'] }], service: 'ops', method: 'org create' },
      },
      meta: { requestId: expect.any(String) },
    });
  });

  it("rejects another cell's data, and names the cell", async () => {
    const elsewhere = await ops({ ...env, REGION: 'eu' }, 'org', 'create', '--name', 'y', '--json');
    expect(elsewhere).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(elsewhere.err).error).toMatchObject({
      type: 'internal_error',
      message: expect.stringMatching(/region us.*region eu/),
    });
    const otherSecrets = mkdtempSync(join(tmpdir(), 'pos-ops-'));
    const stranger = await ops({ ...env, DATA_DIR: otherSecrets }, 'org', 'create', '--name', 'y', '--json');
    rmSync(otherSecrets, { recursive: true });
    expect(JSON.parse(stranger.err).error.message).toContain('keys.json');
  });
});

describe('with the embedded database', () => {
  const cluster = () => join(dataDir, 'postgres', 'cluster');

  it('works with the database of a running service, and otherwise starts and stops it for the command', async () => {
    const env = { DATA_DIR: dataDir };
    const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), fsync: false });
    try {
      printed(await ops(env, 'org', 'create', '--name', 'Beside', '--json'));
      expect(existsSync(join(cluster(), 'postmaster.pid'))).toBe(true);
    } finally {
      await postgres.stop();
    }
    expect(printed(await ops(env, 'api-key', 'list', '--org', 'beside', '--json'))).toEqual([]);
    expect(existsSync(join(cluster(), 'postmaster.pid'))).toBe(false);
  });
});
