import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { jest } from '@jest/globals';
import { apiOf, type Json } from '../../support/api.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { mcpOf } from '../../support/mcp.js';

// Three databases are created and three services started, which is slow on a busy machine.
jest.setTimeout(120_000);

/** What the environment of the command that starts the regions may contain. */
const secrets = {
  MODEL_API_KEY: 'secret-of-the-model',
  ADMIN_PASSWORD: 'secret-of-the-owner-of-all',
  AWS_SECRET_ACCESS_KEY: 'secret-of-another-program',
};

let dataDir: string;
let command: ChildProcess;
let regions: Json;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pos-regions-'));
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...secrets };
  command = spawn(process.execPath, ['dist/src/processes/ops/main.js', 'regions'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(command.stdout as NodeJS.ReadableStream), 'line');
  regions = JSON.parse(line as string) as Json;
});
afterAll(() => {
  command.kill('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const processOf = (region: string): number =>
  childrenOf(command.pid as number).find((pid) =>
    readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`\0REGION=${region}\0`),
  ) as number;

const environmentOf = (pid: number): string => readFileSync(`/proc/${pid}/environ`, 'utf8');
const secretsOf = (pid: number): string[] =>
  Object.values(secrets).filter((secret) => environmentOf(pid).includes(secret));

describe('each process', () => {
  it('gets only what it needs of our environment', () => {
    const services = childrenOf(command.pid as number);
    const cells = services.filter((pid) => environmentOf(pid).includes('\0REGION='));
    const entries = services.filter((pid) => !environmentOf(pid).includes('\0REGION='));
    expect([cells.length, entries.length]).toEqual([3, 1]);
    for (const cell of cells) expect(secretsOf(cell)).toEqual([secrets.MODEL_API_KEY, secrets.ADMIN_PASSWORD]);
    for (const entry of entries) expect(secretsOf(entry)).toEqual([]);
    const databases = cells.flatMap(childrenOf);
    expect(databases).toHaveLength(3);
    for (const database of databases) {
      expect(secretsOf(database)).toEqual([]);
      expect(environmentOf(database)).not.toMatch(/\0(ADMIN|MODEL|SMTP|DATABASE|REDIS)_/);
    }
  });
});

const statusOf = async (region: string): Promise<number> =>
  (await mcpOf(regions.entry, regions[region].key).call('getMe')).status;

describe('MCP of the three regions that one command starts', () => {
  it('reaches the organization of each at one address', async () => {
    const organizations = ['us', 'eu', 'apac'].map(async (region) => {
      const { key, baseUrl } = regions[region] as { key: string; baseUrl: string };
      const { body } = await mcpOf(regions.entry, key).call('getMe');
      expect(body.data).toEqual((await apiOf(baseUrl, key).get('/me')).body.data);
      expect(body.data.region).toBe(region);
      return body.data.organization.id as string;
    });
    expect(new Set(await Promise.all(organizations)).size).toBe(3);
  });

  it('rejects at one region the key of another', async () => {
    const elsewhere = await mcpOf(regions.eu.baseUrl, regions.us.key).call('getMe');
    expectEnvelope(elsewhere, refusals.unauthorized);
    expect(elsewhere.body.error.message).toContain(regions.us.baseUrl);
  });

  it('continues in the others when one is down', async () => {
    process.kill(processOf('eu'), 'SIGKILL');
    expect(await statusOf('eu')).toBe(503);
    expect([await statusOf('us'), await statusOf('apac')]).toEqual([200, 200]);
  });

  it('ends all of them when it ends', async () => {
    const pids = childrenOf(command.pid as number);
    expect(pids).toHaveLength(3);
    const all = [...pids, ...pids.flatMap(childrenOf)];
    command.kill('SIGTERM');
    expect(await once(command, 'exit')).toEqual([0, null]);
    expect(all.filter((pid) => isAlive(pid))).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
