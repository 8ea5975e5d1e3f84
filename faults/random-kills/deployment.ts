import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../database-pair.js';
import { type RedisServer, startRedis } from '../redis-server.js';
import type { ServiceProcess } from '../service-processes.js';
import type { World } from '../world.js';
import type { Blow, Kind } from './blows.js';
import { Wire } from './wire.js';

interface Pausable {
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Two nodes, two workers, a global entry before the nodes, a PostgreSQL and a Redis. */
export class Deployment {
  /** How often each kind of fault occurred. */
  readonly blows: Partial<Record<Kind, number>> = {};
  private readonly underWay = new Set<Promise<void>>();
  private postgresIsBack = Promise.resolve();
  private redisIsBack = Promise.resolve();
  private readonly told: string[] = [];
  private redisTurns = 0;

  private constructor(
    private readonly world: World,
    private readonly redis: RedisServer,
    readonly processes: { nodes: ServiceProcess[]; workers: ServiceProcess[]; entry: ServiceProcess },
    private readonly wires: { nodes: Wire[]; cell: Wire; entry: Wire },
  ) {}

  static async start(world: World, env: Record<string, string>): Promise<Deployment> {
    await recoverQuickly(world);
    const redis = await startRedis();
    const onRedis = { ...env, REDIS_URL: redis.url };
    // The first creates the tables and the first owner.
    const nodes = [await world.start('main', onRedis)];
    const cell = await Wire.start(nodes);
    const [node, one, other, entry] = await Promise.all([
      world.start('main', onRedis),
      world.start('worker', onRedis),
      world.start('worker', onRedis),
      world.start('global-entry/main', { REGION_URLS: `us=${cell.origin}` }),
    ]);
    nodes.push(node);
    const wires = {
      nodes: await Promise.all(nodes.map((of) => Wire.start([of]))),
      cell,
      entry: await Wire.start([entry]),
    };
    return new Deployment(world, redis, { nodes, workers: [one, other], entry }, wires);
  }

  /** The addresses of the nodes for clients. */
  get nodes(): readonly Wire[] {
    return this.wires.nodes;
  }

  get entry(): Wire {
    return this.wires.entry;
  }

  /** Rises when Redis is killed, and again when it is back without its data. */
  get redisLife(): number {
    return this.redisTurns;
  }

  /** Does not wait until its target is back; a starting process can be hit again. */
  async strike({ kind, which, pauseMs }: Blow): Promise<void> {
    this.blows[kind] = (this.blows[kind] ?? 0) + 1;
    this.told.push(`${new Date().toISOString().slice(11, 23)} ${kind}`);
    const { nodes, workers, entry } = this.processes;
    const one = <T>(all: readonly T[]): T => all[Math.floor(which * all.length)] as T;
    const strikes: Record<Kind, () => unknown> = {
      'node killed': () => one(nodes).replace('SIGKILL'),
      'worker killed': () => one(workers).replace('SIGKILL'),
      'entry killed': () => entry.replace('SIGKILL'),
      'PostgreSQL killed': () => this.killPostgres(),
      'process of PostgreSQL killed': () => signal(one(childrenOf(this.world.postgres.pid)), 'SIGKILL'),
      'Redis killed': () => this.killRedis(),
      'node restarted': () => one(nodes).replace('SIGTERM'),
      'node paused': () => this.pause(one(nodes), pauseMs),
      'worker paused': () => this.pause(one(workers), pauseMs),
      'entry paused': () => this.pause(entry, pauseMs),
      'PostgreSQL paused': () => this.pause(this.postgres(), pauseMs),
      'Redis paused': () => this.pause(this.redis, pauseMs),
      'connections to PostgreSQL ended': () => void this.goesOn(this.endConnections(which)),
      'connections to Redis ended': () => void this.goesOn(this.redis.disconnect()),
      'connections of clients cut': () => one([...this.wires.nodes, this.wires.cell, this.wires.entry]).cut(),
    };
    await strikes[kind]();
  }

  /** Explains why nothing was answered. */
  lastBlows(): string {
    return `the last blows: ${this.told.slice(-25).join(', ')}`;
  }

  /** Resolves when everything runs again. */
  async back(): Promise<void> {
    await Promise.all(this.underWay);
    const { nodes, workers, entry } = this.processes;
    await Promise.all([...nodes, ...workers, entry].map((one) => one.back()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.underWay);
    for (const wire of [...this.wires.nodes, this.wires.cell, this.wires.entry]) wire.close();
    await this.redis.stop();
  }

  /** Its owner starts it again. */
  private async killPostgres(): Promise<void> {
    await this.postgresIsBack;
    const { pid } = this.world.postgres;
    signal(pid, 'SIGKILL');
    const restarted = async (): Promise<void> => {
      while (this.world.postgres.pid === pid) await wait(20);
    };
    this.postgresIsBack = this.goesOn(restarted());
  }

  /** What it counted and queued is lost too. */
  private async killRedis(): Promise<void> {
    await this.redisIsBack;
    this.redisTurns += 1;
    await this.redis.stop();
    this.redisIsBack = this.goesOn(this.redis.start().then(() => void (this.redisTurns += 1)));
  }

  private pause(paused: Pausable, pauseMs: number): void {
    paused.signal('SIGSTOP');
    void this.goesOn(wait(pauseMs).then(() => paused.signal('SIGCONT')));
  }

  private goesOn(something: Promise<void>): Promise<void> {
    this.underWay.add(something);
    return something.finally(() => this.underWay.delete(something));
  }

  /** With its children, which a signal to the postmaster does not reach. */
  private postgres(): Pausable {
    const { pid } = this.world.postgres;
    const all = [pid, ...childrenOf(pid)];
    return { signal: (name) => all.forEach((each) => signal(each, name)) };
  }

  /** Ends that share of them. A recovering server has none. */
  private async endConnections(share: number): Promise<void> {
    const sql = `select pg_terminate_backend(pid) from pg_stat_activity
                  where backend_type = 'client backend' and pid <> pg_backend_pid() and random() <= ${share}`;
    await ask(this.world.postgres.url, sql).catch(() => undefined);
  }
}

/** A killed PostgreSQL is back sooner if it has little to replay and need not open each file to sync it. */
async function recoverQuickly({ postgres }: World): Promise<void> {
  await ask(postgres.url, `alter system set checkpoint_timeout = '30s'`);
  await ask(postgres.url, `alter system set recovery_init_sync_method = 'syncfs'`);
  await ask(postgres.url, 'select pg_reload_conf()');
}

/** Of a process that may have just ended. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
