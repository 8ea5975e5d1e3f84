import { setTimeout as wait } from 'node:timers/promises';
import type { Outcome } from './case.js';
import type { Client } from './client.js';
import { judgeTasks, storedTasks } from './stored-tasks.js';
import type { World } from './world.js';

const writers = 8;
const nameOf = (task: number): string => `Fault ${task}`;

/** Tasks that writers create one after the other, each under an idempotency key, repeated until they succeed. */
export class KeyedWrites {
  /** Ids of the tasks whose creation succeeded. */
  readonly acknowledged: string[] = [];
  private readonly writing: Promise<unknown>;

  constructor(
    client: Client,
    private readonly tasks: number,
    lanes = writers,
  ) {
    this.writing = Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let task = lane; task < tasks; task += lanes) {
          const { id } = await client.send('POST', '/tasks', { name: nameOf(task) });
          this.acknowledged.push(id as string);
        }
      }),
    );
  }

  /** Until this part of them, from 0 to 1, is acknowledged. */
  async have(part: number): Promise<void> {
    while (this.acknowledged.length < part * this.tasks) await wait(20);
  }

  /** When all have succeeded. */
  async counts(world: World): Promise<Omit<Outcome, 'more' | 'forbidden'>> {
    await this.writing;
    return { tried: this.tasks, ...judgeTasks(this.acknowledged, await storedTasks(world)) };
  }
}
