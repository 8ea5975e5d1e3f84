import { setTimeout as wait } from 'node:timers/promises';
import { type RedisServer, startRedis } from '../redis-server.js';
import type { ServiceProcess } from '../service-processes.js';
import type { World } from '../world.js';
import { oneOf, type Random } from './random.js';

const longestPauseMs = 2_000;

/** Two nodes, two workers, a PostgreSQL and a Redis. */
export class Deployment {
  /** How often each kind of blow fell. */
  readonly blows: Record<string, number> = {};

  private constructor(
    private readonly world: World,
    private readonly redis: RedisServer,
    readonly nodes: readonly ServiceProcess[],
    private readonly workers: readonly ServiceProcess[],
  ) {}

  static async start(world: World, env: Record<string, string>): Promise<Deployment> {
    const redis = await startRedis();
    const start = (program: 'main' | 'worker') => world.start(program, { ...env, REDIS_URL: redis.url });
    const nodes = [await start('main'), await start('main')];
    return new Deployment(world, redis, nodes, [await start('worker'), await start('worker')]);
  }

  /** Kills, restarts or pauses one process, and waits until it is back. */
  async strike(random: Random): Promise<void> {
    const blow = oneOf(random, [
      ['node killed', () => oneOf(random, this.nodes).kill()],
      ['worker killed', () => oneOf(random, this.workers).kill()],
      ['PostgreSQL killed', () => this.killPostgres()],
      ['node restarted', () => oneOf(random, this.nodes).restart()],
      ['node paused', () => this.pause(random, oneOf(random, this.nodes))],
      ['worker paused', () => this.pause(random, oneOf(random, this.workers))],
      ['Redis paused', () => this.pause(random, this.redis)],
    ] as const);
    const [name, strike] = blow;
    this.blows[name] = (this.blows[name] ?? 0) + 1;
    await strike();
  }

  async stop(): Promise<void> {
    await this.redis.stop();
  }

  /** Its owner starts it again. */
  private async killPostgres(): Promise<void> {
    const { pid } = this.world.postgres;
    process.kill(pid, 'SIGKILL');
    while (this.world.postgres.pid === pid) await wait(20);
  }

  private async pause(random: Random, paused: { signal(signal: 'SIGSTOP' | 'SIGCONT'): void }): Promise<void> {
    paused.signal('SIGSTOP');
    await wait(random() * longestPauseMs);
    paused.signal('SIGCONT');
  }
}
