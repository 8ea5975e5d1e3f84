import type { Client } from '../../client.js';
import { RegisterHistory } from '../histories.js';
import { faultsAmong, type Load, sumOf, type Verdict } from './load.js';

const registers = 3;
const readersOfEach = 2;

interface Task {
  id: string;
  description: string;
  version: number;
}

/**
 * Tasks as registers: to each, two clients write unconditionally, a third only if it is still at the version that it
 * read (`If-Match`), and others read.
 */
export class Registers implements Load {
  readonly name = 'registers';
  private readonly histories = new Map<string, RegisterHistory>();
  private readonly figures = { written: 0, rejected: 0, reads: 0 };

  async prepare(client: Client): Promise<void> {
    for (let number = 0; number < registers; number += 1) {
      const history = new RegisterHistory();
      history.beginWrite('0');
      const { id } = await client.send('POST', '/tasks', { name: `Register ${number}`, description: '0' });
      this.histories.set(id as string, history);
    }
  }

  async run(client: Client, signal: AbortSignal): Promise<void> {
    const repeated = async (turn: (number: number) => Promise<void>): Promise<void> => {
      for (let number = 1; !signal.aborted; number += 1) await turn(number);
    };
    await Promise.all(
      [...this.histories].flatMap(([id, history]) => [
        ...['a', 'b'].map((writer) => repeated((number) => this.write(client, id, history, `${writer}${number}`))),
        repeated((number) => this.exchange(client, id, history, `c${number}`)),
        ...Array.from({ length: readersOfEach }, () => repeated(() => this.read(client, id, history).then(() => {}))),
      ]),
    );
  }

  async judge(client: Client): Promise<Verdict> {
    for (const [id, history] of this.histories) {
      await this.read(client, id, history);
      history.end();
    }
    return {
      figures: this.figures,
      faults: faultsAmong(sumOf([...this.histories.values()].map(({ faults }) => faults))),
    };
  }

  private async write(client: Client, id: string, history: RegisterHistory, value: string): Promise<void> {
    const began = history.beginWrite(value);
    const { version } = (await client.send('PATCH', `/tasks/${id}`, { description: value })) as unknown as Task;
    history.wrote(began, value, version);
    this.figures.written += 1;
  }

  private async exchange(client: Client, id: string, history: RegisterHistory, value: string): Promise<void> {
    const { version: expected } = await this.read(client, id, history);
    const began = history.beginWrite(value);
    const ifMatch = { 'if-match': `"${expected}"` };
    const body = { description: value };
    const written = await client.try('PATCH', `/tasks/${id}`, body, ['VERSION_MISMATCH'], ifMatch);
    this.figures[written ? 'written' : 'rejected'] += 1;
    if (written) history.wrote(began, value, (written as unknown as Task).version, expected);
    else history.refused(value);
  }

  private async read(client: Client, id: string, history: RegisterHistory): Promise<Task> {
    const began = history.begin();
    const task = (await client.read(`/tasks/${id}`)) as unknown as Task;
    history.read(began, task.description, task.version);
    this.figures.reads += 1;
    return task;
  }
}
